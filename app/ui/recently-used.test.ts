import { expect, test } from 'vitest';
import { RecentlyUsed } from './recently-used.ts';

const bytesEach = 100;

/** Reads these numbers in turn, and returns those whose values had to be computed. */
function makesOf(cache: RecentlyUsed<Uint8Array>, numbers: readonly number[]): number[] {
  const made: number[] = [];
  for (const number of numbers) {
    const key = String(number).padStart(4, '0');
    cache.read(key, () => {
      made.push(number);
      return new Uint8Array(bytesEach - key.length);
    });
  }
  return made;
}

const cacheOf = (values: number) =>
  new RecentlyUsed<Uint8Array>(values * bytesEach, ({ length }) => length);
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

test('computes each value once while all of them fit', () => {
  const cache = cacheOf(100);
  expect(makesOf(cache, upTo(100))).toHaveLength(100);
  expect(makesOf(cache, upTo(100))).toEqual([]);
});

test('keeps most of a working set that is just above the limit', () => {
  const cache = cacheOf(100);
  makesOf(cache, upTo(110));
  // The squares shuffle the order. In a fixed order, each value would be evicted before it is read
  // again.
  const mixed = upTo(1_100).map((n) => (n * n * 31 + n * 7) % 110);
  expect(makesOf(cache, mixed).length).toBeLessThan(mixed.length * 0.2);
});

test('keeps frequently read values in the cache while others are read once', () => {
  const cache = cacheOf(100);
  const inUse = upTo(50);
  makesOf(cache, inUse);
  // Adds twice as many other values as the cache can hold.
  for (let round = 0; round < 50; round++) {
    makesOf(cache, [1_000 + 2 * round, 1_001 + 2 * round]);
    expect(makesOf(cache, inUse)).toEqual([]);
  }
});

test('evicts only as many values as a new one needs', () => {
  const cache = cacheOf(100);
  makesOf(cache, upTo(100));
  cache.read('large', () => new Uint8Array(30 * bytesEach - 'large'.length));
  expect(makesOf(cache, upTo(100).slice(30))).toEqual([]);
  expect(makesOf(cache, [0])).toEqual([0]);
});

test('does not cache a value above the limit', () => {
  const cache = new RecentlyUsed<string>(10, ({ length }) => length);
  cache.read('b', () => 'small');
  expect(cache.read('a', () => 'more than ten')).toBe('more than ten');
  expect(cache.read('a', () => 'abc')).toBe('abc');
  expect(cache.read('b', () => 'unused')).toBe('small');
});
