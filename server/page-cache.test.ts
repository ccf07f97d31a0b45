import { expect, it } from 'vitest';
import { PageCache, type Rendered } from '#server/page-cache.ts';

interface Page {
  text: string;
  bytes: number;
}

function setUp(maxBytes = 1000) {
  let now = 0;
  const cache = new PageCache<Page>({ maxBytes, now: () => now });
  return { cache, wait: (seconds: number) => (now += seconds * 1000) };
}

const page = (text: string, tags = ['deals'], bytes = 10): Rendered<Page> => ({
  page: { text, bytes },
  keep: { seconds: 60, tags },
});
const of = (rendered: Rendered<Page> | null) => () => Promise.resolve(rendered);
const failing = () => Promise.reject(new Error('away'));

it('renders a key once for all who ask at the same time', async () => {
  const { cache } = setUp();
  const gate = Promise.withResolvers<Rendered<Page>>();
  let renders = 0;
  const render = () => {
    renders++;
    return gate.promise;
  };
  const readers = [cache.read('/', render), cache.read('/', render), cache.read('/', render)];
  gate.resolve(page('one'));
  const texts = (await Promise.all(readers)).map((read) => read?.text);
  expect([texts, renders]).toEqual([['one', 'one', 'one'], 1]);
});

it('shows a page that is a little old at once and renews it behind', async () => {
  const { cache, wait } = setUp();
  await cache.read('/', of(page('old')));
  wait(90);
  expect((await cache.read('/', of(page('new'))))?.text).toBe('old');
  await expect.poll(() => cache.peek('/', failing)?.text).toBe('new');
});

it('waits for a new one when the old is too old', async () => {
  const { cache, wait } = setUp();
  await cache.read('/', of(page('old')));
  wait(121);
  expect((await cache.read('/', of(page('new'))))?.text).toBe('new');
});

it('drops at once what shows a changed thing, and nothing else', async () => {
  const { cache } = setUp();
  await cache.read('/deals', of(page('list', ['deals'])));
  await cache.read('/deals/a', of(page('a', ['deal:1'])));
  await cache.read('/blog', of(page('blog', ['blog'])));
  cache.empty(['deals', 'deal:1']);
  expect(cache.size.entries).toBe(1);
  cache.empty(['all']);
  expect(cache.size).toEqual({ entries: 0, bytes: 0 });
});

it('never keeps a render during which its subject changed, nor lets a later visitor join it', async () => {
  const { cache } = setUp();
  const gate = Promise.withResolvers<Rendered<Page>>();
  const early = cache.read('/deals', () => gate.promise);
  cache.empty(['deals']);
  const late = await cache.read('/deals', of(page('after')));
  gate.resolve(page('before'));
  expect((await early)?.text).toBe('before');
  expect(late?.text).toBe('after');
  expect((await cache.read('/deals', failing))?.text).toBe('after');
});

it('keeps a render during which something else changed', async () => {
  const { cache } = setUp();
  const gate = Promise.withResolvers<Rendered<Page>>();
  const reading = cache.read('/blog', () => gate.promise);
  await Promise.resolve();
  cache.empty(['deals']);
  gate.resolve(page('blog', ['blog']));
  await reading;
  expect(cache.size.entries).toBe(1);
});

it('lets the least recently used go when the memory is full', async () => {
  const { cache } = setUp(25);
  await cache.read('/a', of(page('a')));
  await cache.read('/b', of(page('b')));
  await cache.read('/a', failing);
  await cache.read('/c', of(page('c')));
  expect(cache.peek('/b', failing)).toBeNull();
  expect(cache.peek('/a', failing)?.text).toBe('a');
  expect(cache.size).toEqual({ entries: 2, bytes: 20 });
});

it('lets an old page stand in for ten minutes when renders fail, then no longer', async () => {
  const { cache, wait } = setUp();
  await cache.read('/', of(page('old')));
  wait(300);
  expect((await cache.read('/', failing))?.text).toBe('old');
  wait(400);
  await expect(cache.read('/', failing)).rejects.toThrow('away');
});

it('shows nothing older than ten seconds while news of changes cannot be heard', async () => {
  const { cache, wait } = setUp();
  await cache.read('/', of(page('old')));
  cache.trust(false);
  wait(9);
  expect((await cache.read('/', of(page('new'))))?.text).toBe('old');
  wait(2);
  expect((await cache.read('/', of(page('new'))))?.text).toBe('new');
});

it('remembers for a while that a page is not for sharing', async () => {
  const { cache, wait } = setUp();
  let renders = 0;
  const render = async () => {
    renders++;
    return null;
  };
  await cache.read('/', render);
  expect(await cache.read('/', render)).toBeNull();
  expect(renders).toBe(1);
  wait(61);
  await cache.read('/', render);
  expect(renders).toBe(2);
});
