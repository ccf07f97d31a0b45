import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { cachedPages } from '#app/cached-pages.ts';
import { type CachedPage, pageCacheKeys } from '#app/platform/page-cache-rules.ts';
import {
  insertCategory,
  insertDeal,
  insertMerchant,
  insertProduct,
} from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { routePatterns } from '#test/route-patterns.ts';
import { testSite } from '#test/site.ts';

const database = useTestDatabase();
const site = testSite(database);
const app = fileURLToPath(new URL('.', import.meta.url));

/** Parameters that React Router reads from every URL. */
const ofTheRouter = new Set(['index', '_routes']);

beforeEach(async () => {
  const { id: category_id } = await insertCategory(database.db, { slug: 'here' });
  const { id: merchant_id } = await insertMerchant(database.db, { slug: 'here' });
  const { id: product_id, gtin } = await insertProduct(database.db, { slug: 'here' });
  await insertDeal(database.db, { slug: 'here', category_id, merchant_id, gtin, product_id });
  await database.db
    .insertInto('blog_posts')
    .values({ slug: 'here', title: 'Here', is_published: true, published_at: new Date(0) })
    .execute();
  await database.db
    .insertInto('site_pages')
    .values({ slug: 'here', title: 'Here', content: 'Here' })
    .execute();
});

afterEach(() => vi.restoreAllMocks());

test('lists every cacheable page, and no other page', () => {
  const mayBeKept = routePatterns().filter(({ file }) =>
    readFileSync(path.join(app, file), 'utf8').includes('allowPageCache('),
  );
  const patterns = mayBeKept.map(({ pattern }) => pattern);
  expect(cachedPages.map((page) => page.path).toSorted()).toEqual(patterns.toSorted());
});

describe.each(cachedPages.map((page) => [page.path, page] as const))('%s', (_name, page) => {
  const address = page.path.replace(/:\w+|\*/, 'here');
  const keyOf = (query: string) => pageCacheKeys(cachedPages)(address, new URLSearchParams(query));

  test('reads only declared parameters of a cacheable page’s URL', async () => {
    const declared = new Set([...(page.reads ?? []), ...(page.rendersOwn ?? []), ...ofTheRouter]);
    const read = new Set<string>();
    for (const names of [[], page.reads, declaredBy(page)]) {
      for (const name of await namesReadBy(address + queryOf(names))) read.add(name);
    }
    const undeclared = [...read].filter((name) => !declared.has(name));
    expect(
      undeclared.map((name) => `${page.path} reads "${name}" and does not declare it`),
    ).toEqual([]);
  });

  test('uses a separate cache key for every parameter that changes the page', () => {
    for (const name of page.reads ?? [])
      expect([name, keyOf(`${name}=2`)]).not.toEqual([name, address]);
    for (const name of page.rendersOwn ?? [])
      expect([name, keyOf(`${name}=2`)]).toEqual([name, null]);
  });

  test('R19: ignores parameters that the page does not read', () => {
    expect(keyOf('utm_source=mail&fbclid=1&color=blue')).toBe(address);
  });
});

function declaredBy({ reads = [], rendersOwn = [] }: CachedPage): string[] {
  return [...reads, ...rendersOwn];
}

/**
 * The parameter that distinguishes a page's query from that of other URLs, such as the database's.
 */
const mark = 'cached-pages-test';

function queryOf(names: readonly string[] = []): string {
  return `?${new URLSearchParams([[mark, ''], ...names.map((name) => [name, '1'])])}`;
}

/**
 * Returns the parameters that the loaders and components of this URL read. `*` is all of them.
 */
async function namesReadBy(address: string): Promise<Set<string>> {
  const names = new Set<string>();
  const has = URLSearchParams.prototype.has;
  for (const method of ['get', 'getAll', 'has', 'entries', 'forEach', 'keys', 'values'] as const) {
    const original: (...given: never[]) => unknown = URLSearchParams.prototype[method];
    vi.spyOn(URLSearchParams.prototype, method).mockImplementation(function (
      this: URLSearchParams,
      ...given: never[]
    ) {
      if (has.call(this, mark)) names.add(typeof given[0] === 'string' ? given[0] : '*');
      return original.apply(this, given) as never;
    });
  }
  const response = await site.request(address, { forCache: true });
  await response.text();
  vi.restoreAllMocks();
  expect([address, response.status]).toEqual([address, 200]);
  return names;
}
