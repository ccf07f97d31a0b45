import { assert, constantFrom, property, string } from '#test/fast-check.ts';
import { expect, test } from 'vitest';
import { cachedPages } from '#app/cached-pages.ts';
import { KnownTargets } from './known-targets.ts';

test('uses the normalized URL as the key of a target', () => {
  const targets = new KnownTargets(cachedPages);
  expect(targets.keyOf('/deals')).toBe('/deals');
  expect(targets.keyOf('/deals?type=coupon&utm_source=mail')).toBe('/deals?type=coupon');
});

test('R46: returns no key for another spelling of a path, or for a rejected path', () => {
  const targets = new KnownTargets(cachedPages);
  for (const target of [
    '//deals',
    '/deals/',
    '/Deals',
    '/deals/..',
    '/%64eals',
    '*',
    '',
    'http://x/',
  ]) {
    expect([target, targets.keyOf(target)]).toEqual([target, null]);
  }
});

test('returns no key for a page that is never shared', () => {
  const targets = new KnownTargets(cachedPages);
  expect(targets.keyOf('/favorites')).toBeNull();
  expect(targets.keyOf('/deals?search=lamp')).toBeNull();
});

test('returns the cached result for a known target', () => {
  const targets = new KnownTargets(cachedPages);
  const asked = ['/deals', '/favorites', '/deals?page=2', '//deals'];
  const first = asked.map((target) => targets.keyOf(target));
  expect(asked.map((target) => targets.keyOf(target))).toEqual(first);
});

test('returns the same target, however many others were requested in between', () => {
  const targets = new KnownTargets(cachedPages);
  for (let n = 0; n < 12_000; n += 1) {
    expect(targets.keyOf(`/deals/deal-${n}`)).toBe(`/deals/deal-${n}`);
  }
  expect(targets.keyOf('/deals/deal-0')).toBe('/deals/deal-0');
  expect(targets.keyOf('/favorites')).toBeNull();
});

test('never changes a parsed target when caching it', () => {
  const remembering = new KnownTargets(cachedPages);
  const starts = constantFrom('/', '/deals', '/deals?', '/blog/', '/merchants?page=', '//');
  assert(
    property(starts, string({ maxLength: 400 }), (start, rest) => {
      const target = start + rest;
      const fresh = new KnownTargets(cachedPages).keyOf(target);
      expect(remembering.keyOf(target)).toBe(fresh);
      expect(remembering.keyOf(target)).toBe(fresh);
    }),
  );
});
