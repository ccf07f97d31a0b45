import * as fc from '#test/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { PageCache, type Rendered } from '#server/page-cache.ts';

interface Page {
  text: string;
  bytes: number;
  /** The number of seconds by which a stale page is too old. */
  tooOld?: number;
}

function setUp(maxBytes = 1000) {
  let now = 0;
  const markStale = (old: Page, tooOld: number) => ({ ...old, tooOld });
  const cache = new PageCache<Page>({ maxBytes, now: () => now, markStale });
  return { cache, wait: (seconds: number) => (now += seconds * 1000) };
}

const page = (text: string, tags = ['deals'], bytes = 10): Rendered<Page> => ({
  page: { text, bytes },
  policy: { seconds: 60, tags },
});
const of = (rendered: Rendered<Page> | null) => () => Promise.resolve(rendered);
const failing = () => Promise.reject(new Error('away'));

it('renders a page once for all simultaneous readers', async () => {
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

it('shows a slightly old page immediately, and renews it in the background', async () => {
  const { cache, wait } = setUp();
  await cache.read('/', of(page('old')));
  wait(90);
  expect((await cache.read('/', of(page('new'))))?.text).toBe('old');
  await expect.poll(() => cache.peek('/', failing)?.text).toBe('new');
});

it('waits for a new page if the old one is too old', async () => {
  const { cache, wait } = setUp();
  await cache.read('/', of(page('old')));
  wait(121);
  expect((await cache.read('/', of(page('new'))))?.text).toBe('new');
});

it('never shows a cached page after its expiry time', async () => {
  const { cache, wait } = setUp();
  const ending = { ...page('ends soon'), policy: { seconds: 60, tags: [], until: new Date(5000) } };
  await cache.read('/', of(ending));
  wait(4.9);
  expect(cache.peek('/', failing)?.text).toBe('ends soon');
  wait(0.1);
  expect(cache.peek('/', failing)).toBeNull();
  expect((await cache.read('/', of(page('over'))))?.text).toBe('over');
});

it('drops only pages that show the changed row, and drops them immediately', async () => {
  const { cache } = setUp();
  await cache.read('/deals', of(page('list', ['deals'])));
  await cache.read('/deals/a', of(page('a', ['deal:1'])));
  await cache.read('/blog', of(page('blog', ['blog'])));
  cache.invalidate(['deals', 'deal:1']);
  expect(cache.size.entries).toBe(1);
  cache.invalidate(['all']);
  expect(cache.size).toEqual({ entries: 0, bytes: 0 });
});

it('neither caches nor shares a render if its rows change meanwhile', async () => {
  const { cache } = setUp();
  const gate = Promise.withResolvers<Rendered<Page>>();
  const early = cache.read('/deals', () => gate.promise);
  cache.invalidate(['deals']);
  const late = await cache.read('/deals', of(page('after')));
  gate.resolve(page('before'));
  expect((await early)?.text).toBe('before');
  expect(late?.text).toBe('after');
  expect((await cache.read('/deals', failing))?.text).toBe('after');
});

it('caches a render if only other rows change meanwhile', async () => {
  const { cache } = setUp();
  const gate = Promise.withResolvers<Rendered<Page>>();
  const reading = cache.read('/blog', () => gate.promise);
  await Promise.resolve();
  cache.invalidate(['deals']);
  gate.resolve(page('blog', ['blog']));
  await reading;
  expect(cache.size.entries).toBe(1);
});

it('evicts the least recently used pages when the memory is full', async () => {
  const { cache } = setUp(25);
  await cache.read('/a', of(page('a')));
  await cache.read('/b', of(page('b')));
  await cache.read('/a', failing);
  await cache.read('/c', of(page('c')));
  expect(cache.peek('/b', failing)).toBeNull();
  expect(cache.peek('/a', failing)?.text).toBe('a');
  expect(cache.size).toEqual({ entries: 2, bytes: 20 });
});

it('shows a stale page for ten minutes while renders fail, and no longer', async () => {
  const { cache, wait } = setUp();
  await cache.read('/', of(page('old')));
  wait(300);
  expect((await cache.read('/', failing))?.text).toBe('old');
  wait(400);
  await expect(cache.read('/', failing)).rejects.toThrow('away');
});

it('shows nothing older than ten seconds while notifications are missing', async () => {
  const { cache, wait } = setUp();
  await cache.read('/', of(page('old')));
  cache.trust(false);
  wait(9);
  expect((await cache.read('/', of(page('new'))))?.text).toBe('old');
  wait(2);
  expect((await cache.read('/', of(page('new'))))?.text).toBe('new');
});

it('remembers for a minute that a page is not shareable', async () => {
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

describe('a failing render', () => {
  it('does not cache a failing render, and retries for the next visitor', async () => {
    const { cache } = setUp();
    await expect(cache.read('/', failing)).rejects.toThrow('away');
    expect(cache.size).toEqual({ entries: 0, bytes: 0 });
    expect((await cache.read('/', of(page('well again'))))?.text).toBe('well again');
  });

  it('renders once for all waiting readers, and rejects for all of them on failure', async () => {
    const { cache } = setUp();
    let renders = 0;
    const render = () => {
      renders++;
      return failing();
    };
    const readers = await Promise.allSettled([cache.read('/', render), cache.read('/', render)]);
    expect(readers.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(renders).toBe(1);
  });

  it('waits five seconds before retrying a failed render while a stale page is shown', async () => {
    const { cache, wait } = setUp();
    await cache.read('/', of(page('old')));
    wait(200);
    let tries = 0;
    const render = () => {
      tries++;
      return failing();
    };
    for (let n = 0; n < 4; n++) expect((await cache.read('/', render))?.text).toBe('old');
    expect(tries).toBe(1);
    wait(6);
    expect((await cache.read('/', of(page('new'))))?.text).toBe('new');
  });

  it('keeps a slightly old page when a background render fails, and retries after five seconds', async () => {
    const { cache, wait } = setUp();
    await cache.read('/', of(page('old')));
    wait(90);
    let tries = 0;
    const render = () => {
      tries++;
      return failing();
    };
    expect(cache.peek('/', render)?.text).toBe('old');
    await new Promise(setImmediate); // The background render has failed by now.
    expect(cache.peek('/', render)?.text).toBe('old');
    expect(tries).toBe(1);
    wait(6);
    cache.peek('/', render);
    expect(tries).toBe(2);
  });

  it('does not keep a stale page after a change invalidates it', async () => {
    const { cache } = setUp();
    await cache.read('/', of(page('old')));
    cache.invalidate(['deals']);
    await expect(cache.read('/', failing)).rejects.toThrow('away');
  });

  // Proves R62: outdated pages are shown while no new ones are available
  it('R62: shows an outdated page as stale for ten minutes after the change', async () => {
    const { cache, wait } = setUp();
    await cache.read('/', of(page('old')));
    wait(10);
    cache.invalidate(['deals'], true);
    expect(cache.peek('/', failing)).toBeNull();
    wait(30);
    expect(await cache.read('/', failing)).toMatchObject({ text: 'old', tooOld: 30 });
    expect(cache.peek('/', failing)).toMatchObject({ text: 'old', tooOld: 30 });
    wait(569);
    expect(await cache.read('/', failing)).toMatchObject({ text: 'old', tooOld: 599 });
    wait(2);
    await expect(cache.read('/', failing)).rejects.toThrow('away');
    wait(5);
    expect(cache.peek('/', failing)).toBeNull();
    expect(cache.size).toEqual({ entries: 0, bytes: 0 });
  });

  it('R62: replaces a stale page once a new one is rendered, and drops it when its rows are hidden', async () => {
    const { cache, wait } = setUp();
    await cache.read('/', of(page('old')));
    cache.invalidate(['all'], true);
    expect((await cache.read('/', failing))?.tooOld).toBe(0);
    wait(6);
    const fresh = await cache.read('/', of(page('new')));
    expect(fresh).toEqual({ text: 'new', bytes: 10 });
    expect(cache.peek('/', failing)).toEqual({ text: 'new', bytes: 10 });
    expect(cache.size).toEqual({ entries: 1, bytes: 10 });
    cache.invalidate(['deals'], true);
    cache.invalidate(['deals']);
    await expect(cache.read('/', failing)).rejects.toThrow('away');
  });

  it('retries a failed render immediately when the database announces a change', async () => {
    const { cache, wait } = setUp();
    await cache.read('/', of(page('old')));
    wait(300);
    expect((await cache.read('/', failing))?.text).toBe('old');
    cache.invalidate(['deals'], true);
    expect((await cache.read('/', of(page('new'))))?.text).toBe('new');
  });

  it('shows a stale page rather than none while notifications are missing', async () => {
    const { cache, wait } = setUp();
    await cache.read('/', of(page('old')));
    cache.trust(false);
    wait(30);
    expect((await cache.read('/', failing))?.text).toBe('old');
    expect(cache.peek('/', failing)?.text).toBe('old');
  });
});

describe('a page that stops being shared', () => {
  it('drops a page if a new render declares it private', async () => {
    const { cache, wait } = setUp();
    await cache.read('/', of(page('old')));
    wait(121);
    const gone = { page: { text: 'not found', bytes: 10 }, policy: null };
    expect((await cache.read('/', of(gone)))?.text).toBe('not found');
    expect(cache.size).toEqual({ entries: 0, bytes: 0 });
  });

  it('renders a personal page again after a change', async () => {
    const { cache } = setUp();
    await cache.read('/', of(null));
    expect(await cache.read('/', of(page('shared')))).toBeNull();
    cache.invalidate(['deals']);
    expect((await cache.read('/', of(page('shared'))))?.text).toBe('shared');
  });

  it('shares a page only among waiting readers if its policy forbids caching', async () => {
    const { cache } = setUp();
    const gone: Rendered<Page> = { page: { text: '404', bytes: 10 }, policy: null };
    let renders = 0;
    const render = async () => {
      renders++;
      return gone;
    };
    const both = await Promise.all([cache.read('/x', render), cache.read('/x', render)]);
    expect(both.map((read) => read?.text)).toEqual(['404', '404']);
    await cache.read('/x', render);
    expect(renders).toBe(2);
  });

  it('remembers at most 2,000 pages that are not shareable', async () => {
    const { cache } = setUp();
    for (let n = 0; n < 2001; n++) await cache.read(`/${n}`, of(null));
    expect((await cache.read('/0', of(page('asked anew'))))?.text).toBe('asked anew');
    expect(await cache.read('/2000', of(page('no')))).toBeNull();
  });
});

it('shows a page larger than the whole cache, but does not store it', async () => {
  const { cache } = setUp(100);
  await cache.read('/small', of(page('small')));
  expect((await cache.read('/large', of(page('large', ['deals'], 101))))?.text).toBe('large');
  expect(cache.peek('/large', failing)).toBeNull();
  expect(cache.size.bytes).toBeLessThanOrEqual(100);
});

it('updates the size and tags of a renewed page', async () => {
  const { cache, wait } = setUp();
  await cache.read('/', of(page('old', ['deal:1'], 400)));
  wait(121);
  await cache.read('/', of(page('new', ['deal:2'], 30)));
  expect(cache.size).toEqual({ entries: 1, bytes: 30 });
  cache.invalidate(['deal:1']);
  expect(cache.peek('/', failing)?.text).toBe('new');
  cache.invalidate(['deal:2']);
  expect(cache.size.entries).toBe(0);
});

it('evicts other pages, or the page itself, if a page grows', async () => {
  const { cache } = setUp(100);
  await cache.read('/old', of(page('old', ['deals'], 40)));
  const grown = await cache.read('/grows', of(page('grows', ['deals'], 40)));
  expect(cache.size).toEqual({ entries: 2, bytes: 80 });
  if (grown) grown.bytes = 70;
  cache.weighAnew('/grows');
  cache.weighAnew('/grows');
  cache.weighAnew('/never kept');
  expect(cache.size).toEqual({ entries: 1, bytes: 70 });
  expect(cache.peek('/grows', failing)?.text).toBe('grows');
  if (grown) grown.bytes = 101;
  cache.weighAnew('/grows');
  expect(cache.size).toEqual({ entries: 0, bytes: 0 });
});

it('shares a tag among many pages that also have their own tags', async () => {
  const { cache } = setUp();
  await cache.read('/1', of(page('1', ['all of them', 'deal:1', 'deal:1'])));
  await cache.read('/2', of(page('2', ['all of them', 'deal:2', 'deal:3'])));
  await cache.read('/3', of(page('3', ['all of them', 'deal:3'])));
  cache.invalidate(['deal:1', 'deal:4']);
  expect([1, 2, 3].map((n) => cache.peek(`/${n}`, failing)?.text)).toEqual([undefined, '2', '3']);
  cache.invalidate(['deal:3']);
  expect(cache.size.entries).toBe(0);
  await cache.read('/1', of(page('1', ['all of them'])));
  await cache.read('/2', of(page('2', ['all of them'])));
  cache.invalidate(['deal:1', 'deal:2', 'deal:3']);
  expect(cache.size.entries).toBe(2);
  cache.invalidate(['all of them']);
  expect(cache.size.entries).toBe(0);
});

it('caches pages for the usual time again once notifications return', async () => {
  const { cache, wait } = setUp();
  await cache.read('/', of(page('old')));
  cache.trust(false);
  wait(30);
  expect(cache.peek('/', failing)).toBeNull();
  cache.trust(true);
  expect(cache.peek('/', failing)?.text).toBe('old');
});

it('counts how each visit was answered: from the cache, stale or rendered', async () => {
  const { cache, wait } = setUp();
  await cache.read('/', of(page('a')));
  await cache.read('/', failing);
  wait(61);
  cache.peek('/', of(page('b')));
  await expect.poll(() => cache.peek('/', failing)?.text).toBe('b');
  cache.invalidate(['all']);
  expect(cache.stats).toMatchObject({
    misses: 1,
    stale: 1,
    invalidated: 1,
    staleOnError: 0,
    evicted: 0,
  });
  expect(cache.stats.hits).toBeGreaterThanOrEqual(2);
});

it('never shows an invalidated page or exceeds its memory limit, regardless of the order of events', async () => {
  const tagsOf = { '/a': ['x'], '/b': ['x', 'y'], '/c': ['y'] } as const;
  const key = fc.constantFrom('/a' as const, '/b' as const, '/c' as const);
  const step = fc.oneof(
    fc.record({ act: fc.constant('read' as const), key, bytes: fc.integer({ min: 1, max: 60 }) }),
    fc.record({
      act: fc.constant('change' as const),
      tag: fc.constantFrom('x', 'y', 'all'),
      mayBeStale: fc.boolean(),
    }),
    fc.record({ act: fc.constant('wait' as const), seconds: fc.integer({ min: 1, max: 100 }) }),
    fc.record({ act: fc.constant('fail' as const), key }),
    fc.record({ act: fc.constant('trust' as const), isTrusted: fc.boolean() }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const { cache, wait } = setUp(100);
      const versions = new Map<string, number>([
        ['x', 0],
        ['y', 0],
      ]);
      /**
       * The oldest version of each page that may still be shown as stale, because nothing was
       * hidden after it.
       */
      const oldest = new Map(versions);
      const versionOf = (shownKey: keyof typeof tagsOf, known = versions) =>
        tagsOf[shownKey].map((tag) => `${tag}${known.get(tag)}`).join(' ');
      const numbers = (text: string) => (text.match(/\d+/g) ?? []).map(Number);
      const isRight = (shownKey: keyof typeof tagsOf, shown: Page) => {
        if (shown.tooOld === undefined) return shown.text === versionOf(shownKey);
        const least = numbers(versionOf(shownKey, oldest));
        return numbers(shown.text).every((number, n) => number >= (least[n] ?? Infinity));
      };
      const expectRight = (shownKey: keyof typeof tagsOf, shown: Page | null) =>
        expect([shownKey, shown, shown !== null && isRight(shownKey, shown)]).toEqual([
          shownKey,
          shown,
          true,
        ]);
      for (const one of steps) {
        if (one.act === 'wait') wait(one.seconds);
        if (one.act === 'trust') cache.trust(one.isTrusted);
        if (one.act === 'change') {
          for (const tag of versions.keys()) {
            if (one.tag !== tag && one.tag !== 'all') continue;
            versions.set(tag, (versions.get(tag) ?? 0) + 1);
            if (!one.mayBeStale) oldest.set(tag, versions.get(tag) ?? 0);
          }
          cache.invalidate([one.tag], one.mayBeStale);
        }
        if (one.act === 'read') {
          const rendered = page(versionOf(one.key), [...tagsOf[one.key]], one.bytes);
          expectRight(one.key, await cache.read(one.key, of(rendered)));
        }
        if (one.act === 'fail') {
          const old = await cache.read(one.key, failing).catch(() => null);
          if (old) expectRight(one.key, old);
        }
        await Promise.resolve(); // Waits for background renewals.
        expect(cache.size.bytes).toBeLessThanOrEqual(100);
        expect(cache.size.bytes >= cache.size.entries).toBe(true);
      }
      cache.invalidate(['all']);
      expect(cache.size).toEqual({ entries: 0, bytes: 0 });
    }),
  );
});
