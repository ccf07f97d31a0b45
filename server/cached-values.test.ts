import { expect, it } from 'vitest';
import { CachedValues } from '#server/cached-values.ts';

function setUp() {
  let now = 0;
  const values = new CachedValues(() => now);
  values.trust(true);
  let reads = 0;
  const ask = () => values.read('count', ['deals'], async () => ++reads);
  return { values, ask, wait: (seconds: number) => (now += seconds * 1000) };
}

it('reads a value once for all callers until a change is announced', async () => {
  const { values, ask } = setUp();
  expect(await Promise.all([ask(), ask()])).toEqual([1, 1]);
  values.invalidate(['blog']);
  expect(await ask()).toBe(1);
  values.invalidate(['deals']);
  expect(await ask()).toBe(2);
  values.invalidate(['all']);
  expect(await ask()).toBe(3);
});

it('does not cache a value if a change is announced during the read', async () => {
  const { values } = setUp();
  const before = Promise.withResolvers<string>();
  const reading = values.read('count', ['deals'], () => before.promise);
  values.invalidate(['deals']);
  const later = values.read('count', ['deals'], async () => 'new');
  before.resolve('old');
  expect(await Promise.all([reading, later])).toEqual(['old', 'new']);
  expect(await values.read('count', ['deals'], async () => 'newest')).toBe('new');
});

it('caches values for at most a minute, because some change with time', async () => {
  const { ask, wait } = setUp();
  await ask();
  wait(60);
  expect(await ask()).toBe(1);
  wait(1);
  expect(await ask()).toBe(2);
});

it('reads every value from the database while notifications are missing', async () => {
  const { values, ask } = setUp();
  await ask();
  values.trust(false);
  expect([await ask(), await ask()]).toEqual([2, 3]);
  values.invalidate(['all']); // A listener does this when it reconnects.
  values.trust(true);
  expect([await ask(), await ask()]).toEqual([4, 4]);
});

it('throws if the read fails, instead of returning a stale value', async () => {
  const { values, ask, wait } = setUp();
  await ask();
  wait(61);
  const failing = values.read('count', ['deals'], () => Promise.reject(new Error('away')));
  await expect(failing).rejects.toThrow('away');
});
