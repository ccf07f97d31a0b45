import { describe, expect, test } from 'vitest';
import { cachedPages } from '#app/cached-pages.ts';
import { pageCacheKeys } from './page-cache-rules.ts';
import { leadToLastPage, parsePageNumber } from './page-number.ts';

const keyOf = (address: string) => {
  const { pathname, search } = new URL(address, 'https://deals.test');
  return pageCacheKeys(cachedPages)(pathname, new URLSearchParams(search));
};

describe('R19: the cache key', () => {
  test.each([
    '/',
    '/deals',
    '/deals/desk-lamp',
    '/deals/desk-lamp.data',
    '/categories',
    '/categories/tools',
    '/merchants/lamp-house',
    '/blog',
    '/blog/a-guide',
    '/_root.data',
    '/how-we-rank',
    '/feeds',
    '/shipping',
    '/guides/tv/how-to-choose',
    '/guides/tv.data',
  ])('R19: uses its own URL as the cache key for %s', (path) => {
    expect(keyOf(path)).toBe(path);
  });

  test.each([
    '/favorites',
    '/for-you',
    '/price-alerts',
    '/profile',
    '/sign-in',
    '/admin',
    '/admin/outbox',
    '/api/suggest',
    '/out/7',
    '/deals/Desk-Lamp',
    '/deals/desk-lamp/more',
    '/blog/guides/tv',
    '/guides//tv',
    '/guides/TV',
    '/wp-content/x.png',
    '/deals/%00',
    '/newsletter',
    '/unsubscribe',
    '/health/ready',
  ])('R19: returns no cache key for %s', (path) => {
    expect(keyOf(path)).toBeNull();
  });

  test('R19: returns no cache key for a search, which would fill the cache with pages seen once', () => {
    expect(keyOf('/deals?search=lamp')).toBeNull();
    expect(keyOf('/deals?search=')).toBeNull();
    expect(keyOf('/deals.data?search=lamp')).toBeNull();
  });

  test('R19: returns no cache key for requests of single parts of a page', () => {
    expect(keyOf('/deals.data?_routes=root')).toBeNull();
  });

  test('R19: returns no cache key for pages beyond the twentieth', () => {
    expect(keyOf('/deals?page=20')).toBe('/deals?page=20');
    expect(keyOf('/deals?page=21')).toBeNull();
    expect(keyOf('/deals?page=1e9')).toBeNull();
  });
});

describe('the key of a list', () => {
  test('returns the same cache key in any order of a list’s parameters', () => {
    expect(keyOf('/deals?type=coupon&max=50&sort=discount')).toBe(
      keyOf('/deals?sort=discount&max=50&type=coupon'),
    );
  });

  test('omits parameters that do not change the page from the cache key', () => {
    expect(keyOf('/deals?utm_source=mail&fbclid=1')).toBe('/deals');
    expect(keyOf('/deals?type=&page=2')).toBe('/deals?page=2');
  });

  test('returns different cache keys for different lists', () => {
    const keys = [
      '',
      '?type=coupon',
      '?type=featured',
      '?min=10',
      '?max=10',
      '?page=2',
      '?sort=discount',
    ];
    expect(new Set(keys.map((query) => keyOf(`/deals${query}`))).size).toBe(keys.length);
    expect(keyOf('/deals/desk-lamp?days=30')).not.toBe(keyOf('/deals/desk-lamp'));
  });

  test("does not let a parameter's value forge a cache key", () => {
    expect(keyOf('/deals?min=1%26max%3D2')).not.toBe(keyOf('/deals?min=1&max=2'));
  });
});

describe('the page number of an address', () => {
  const page = (query: string) => parsePageNumber(new URLSearchParams(query));

  test('parses a page number as an integer from 1 to 500', () => {
    expect(['', 'page=1', 'page=2', 'page=500'].map(page)).toEqual([1, 1, 2, 500]);
  });

  test('limits a page number to the last page, and to 500 for visitors', () => {
    const wayFrom = (query: string, ...pages: [number, number?]) => {
      try {
        leadToLastPage(new Request(`http://deals.test/deals?${query}`), ...pages);
        return null;
      } catch (answer) {
        return answer instanceof Response && answer.headers.get('location');
      }
    };
    expect(wayFrom('page=500', 9_000)).toBeNull();
    expect(wayFrom('type=coupon&page=501', 9_000)).toBe('/deals?type=coupon&page=500');
    expect(wayFrom('page=9000', 9_000, Infinity)).toBeNull();
    expect(wayFrom('page=9001&q=x', 9_000, Infinity)).toBe('/deals?page=9000&q=x');
    expect(wayFrom('page=2', 1)).toBe('/deals');
  });

  test.each(['page=0', 'page=-2', 'page=501', 'page=2.5', 'page=two', 'page=', 'page=NaN'])(
    'parses the page number %s as 1',
    (query) => {
      expect(page(query)).toBe(1);
    },
  );
});
