import * as fc from '#test/fast-check.ts';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { insertCategory, insertMerchant } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { testOrigin } from '#test/origin.ts';
import { testSite } from '#test/site.ts';
import { readEnv } from '#app/platform/env.server.ts';

// Compares lists, read by following their links, with a naive query for any parameters.

const database = useTestDatabase();
const site = testSite(database, {
  env: readEnv({
    NODE_ENV: 'test',
    ORIGIN: testOrigin,
    RATE_LIMITS: 'api-address=0, search=0, search-burst=0',
  }),
});
const dealCount = 70;

interface Row {
  id: number;
  slug: string;
  sale_price: number;
  discount_percent: number;
  status: string;
  seller_type: string;
  coupon_code: string | null;
  is_featured: boolean;
  is_active: boolean;
  expires_at: Date | null;
  created_at: Date;
  category: string;
  merchant: string;
}

let rows: Row[] = [];

beforeEach(async () => {
  for (const slug of ['tools', 'toys']) await insertCategory(database.db, { slug });
  for (const slug of ['north', 'south']) await insertMerchant(database.db, { slug });
  await sql`
    insert into deals (title, slug, sale_price, original_price, deal_url, status, seller_type, coupon_code, is_featured,
                       is_active, expires_at, created_at, category_id, merchant_id)
    select 'Deal ' || n, 'deal-' || n, 500 + (n * 37 % 11) * 100, 900 + (n * 53 % 13) * 100, 'https://shop.example/' || n,
           case when n % 2 = 0 then 'used' else 'new' end, case when n % 3 = 0 then 'amazon' else 'third_party' end,
           case when n % 5 = 0 then 'CODE' end, n % 4 = 0, n % 17 <> 0,
           case when n % 7 = 1 then now() - interval '1 day' when n % 7 = 2 then now() + interval '60 hours'
                when n % 7 = 3 then now() + interval '80 hours' end,
           timestamptz '2026-01-01' + n % 20 * interval '1 day', 1 + n % 2, 1 + n % 3 % 2
      from generate_series(1, ${dealCount}::integer) n`.execute(database.db);
  const found = await sql<Row>`
    select d.*, c.slug as category, m.slug as merchant from deals d
      join categories c on c.id = d.category_id join merchants m on m.id = d.merchant_id`.execute(
    database.db,
  );
  rows = found.rows;
});

interface Query {
  sort?: 'newest' | 'discount' | 'price_low' | 'price_high';
  category?: string;
  merchant?: string;
  status?: 'new' | 'used';
  seller?: 'amazon' | 'third_party';
  type?: 'featured' | 'coupon' | 'expiring';
  min_price?: number;
  max_price?: number;
}

const optional = <T>(...values: T[]) => fc.option(fc.constantFrom(...values), { nil: undefined });
const queries: fc.Arbitrary<Query> = fc.record({
  sort: optional(
    'newest' as const,
    'discount' as const,
    'price_low' as const,
    'price_high' as const,
  ),
  category: optional('tools', 'toys'),
  merchant: optional('north', 'south'),
  status: optional('new' as const, 'used' as const),
  seller: optional('amazon' as const, 'third_party' as const),
  type: optional('featured' as const, 'coupon' as const, 'expiring' as const),
  min_price: optional(0, 600, 900),
  max_price: optional(700, 1200, 5000),
});

function addressOf(query: Query): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return `/api/v1/deals?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
}

const isExpired = (row: Row) => row.expires_at !== null && row.expires_at.getTime() <= Date.now();
const newest = (a: Row, b: Row) => b.created_at.getTime() - a.created_at.getTime() || b.id - a.id;
const orders: Record<NonNullable<Query['sort']>, (a: Row, b: Row) => number> = {
  newest,
  discount: (a, b) => b.discount_percent - a.discount_percent || b.id - a.id,
  price_low: (a, b) => a.sale_price - b.sale_price || a.id - b.id,
  price_high: (a, b) => b.sale_price - a.sale_price || b.id - a.id,
};

function expectedSlugs(query: Query): string[] {
  const soon = Date.now() + 72 * 3_600_000;
  const passing = rows.filter(
    (row) =>
      row.is_active &&
      (query.category ?? row.category) === row.category &&
      (query.merchant ?? row.merchant) === row.merchant &&
      (query.status ?? row.status) === row.status &&
      (query.seller ?? row.seller_type) === row.seller_type &&
      row.sale_price >= (query.min_price ?? 0) &&
      row.sale_price <= (query.max_price ?? Infinity) &&
      (query.type !== 'featured' || row.is_featured) &&
      (query.type !== 'coupon' || row.coupon_code !== null) &&
      (query.type !== 'expiring' ||
        (row.expires_at !== null && !isExpired(row) && row.expires_at.getTime() <= soon)),
  );
  const live = passing.filter((row) => !isExpired(row)).toSorted(orders[query.sort ?? 'newest']);
  return [...live, ...passing.filter(isExpired).toSorted(newest)].map(({ slug }) => slug);
}

interface Page {
  data: { slug: string }[];
  page: { number: number; count: number; size: number; total: number };
}

const linkOf = (headers: Headers, rel: string): string | null =>
  new RegExp(`<([^>]+)>; rel="${rel}"`).exec(headers.get('link') ?? '')?.[1] ?? null;

async function walk(address: string) {
  const pages: Page[] = [];
  let next: string | null = address;
  while (next !== null) {
    const answer: Response = await site.request(next);
    if (answer.status !== 200) throw new Error(`${next} answers ${answer.status}`);
    pages.push((await answer.json()) as Page);
    next = linkOf(answer.headers, 'next');
  }
  return pages;
}

describe('the list of deals', () => {
  test('returns the same deals page by page as one naive query, for any filter and order', async () => {
    await fc.assert(
      fc.asyncProperty(queries, async (query) => {
        const expected = expectedSlugs(query);
        const pages = await walk(addressOf(query));
        expect(pages.flatMap(({ data }) => data.map(({ slug }) => slug))).toEqual(expected);
        const count = Math.max(1, Math.ceil(expected.length / 24));
        expect(pages.map(({ page }) => page)).toEqual(
          Array.from({ length: count }, (_, n) => ({
            number: n + 1,
            count,
            size: 24,
            total: expected.length,
            is_total_capped: false,
          })),
        );
      }),
      { numRuns: 60 },
    );
  });

  test('lists every deal once by id, even if deals change between two pages', async () => {
    const { db } = database;
    await sql`
      insert into deals (title, slug, sale_price, deal_url, category_id, merchant_id)
      select 'More ' || n, 'more-' || n, 700, 'https://shop.example/more-' || n, 1, 1 from generate_series(1, 150) n`.execute(
      db,
    );
    const stays = await sql<{ slug: string }>`
      select slug from deals where is_active and slug like 'deal-%' order by id`.execute(db);
    const seen: string[] = [];
    let next: string | null = '/api/v1/deals?after=0';
    while (next !== null) {
      const answer: Response = await site.request(next);
      const { data, page } = (await answer.json()) as Page;
      expect(page).toBeNull();
      expect(data.length).toBeLessThanOrEqual(100);
      seen.push(...data.map(({ slug }) => slug));
      // An import deletes one deal, and moves others in lists sorted by date or price.
      await sql`delete from deals where slug = ${seen[0] ?? ''}`.execute(db);
      await sql`update deals set created_at = now(), sale_price = sale_price + 1 where id % 3 = 0`.execute(
        db,
      );
      next = linkOf(answer.headers, 'next');
    }
    expect(seen).toHaveLength(new Set(seen).size);
    expect(seen.filter((slug) => slug.startsWith('deal-'))).toEqual(
      stays.rows.map(({ slug }) => slug),
    );
    expect(seen).toHaveLength(stays.rows.length + 150);
  });

  test('rejects filters and orders for a list by id', async () => {
    const answer = await site.request('/api/v1/deals?after=0&sort=best&type=coupon');
    expect(answer.status).toBe(422);
    const { errors } = (await answer.json()) as { errors: { parameter: string }[] };
    expect(errors.map(({ parameter }) => parameter)).toEqual(['type', 'sort']);
  });

  test('derives an ETag from the bytes of a list, so that only the same request gets 304', async () => {
    await fc.assert(
      fc.asyncProperty(queries, queries, async (one, other) => {
        const first = await site.request(addressOf(one));
        const etag = first.headers.get('etag') ?? '';
        const text = await first.text();
        const again = await site.request(addressOf(one), { headers: { 'if-none-match': etag } });
        expect([again.status, await again.text()]).toEqual([304, '']);
        const another = await site.request(addressOf(other), {
          headers: { 'if-none-match': etag },
        });
        const isSame = (await (await site.request(addressOf(other))).text()) === text;
        expect(another.status).toBe(isSame ? 304 : 200);
      }),
      { numRuns: 25 },
    );
  });

  test('responds to HEAD of a list with the headers of GET and no body', async () => {
    const [got, head] = await Promise.all([
      site.request('/api/v1/deals?sort=discount'),
      site.request('/api/v1/deals?sort=discount', { method: 'HEAD' }),
    ]);
    for (const name of ['etag', 'content-type', 'link', 'cache-control']) {
      expect([name, head.headers.get(name)]).toEqual([name, got.headers.get(name)]);
    }
    expect(await head.text()).toBe('');
  });

  test('names every unknown parameter, even if others are known', async () => {
    const wrong = fc.constantFrom(
      ['sort', 'cheapest'],
      ['status', 'Used'],
      ['seller', ''],
      ['type', 'sale'],
      ['min_price', '-1'],
      ['max_price', '9.99'],
      ['page', '0'],
      ['page', '501'],
      ['category', 'no-such'],
      ['merchant', 'no-such'],
      ['colour', 'red'],
      ['__proto__', '1'],
    ) as fc.Arbitrary<[string, string]>;
    await fc.assert(
      fc.asyncProperty(queries, wrong, async (query, [name, value]) => {
        const { [name as keyof Query]: _replaced, ...rest } = query;
        const address = addressOf(rest);
        const bad = new URLSearchParams([[name, value]]).toString();
        const answer = await site.request(`${address}&${bad}`);
        expect(answer.status).toBe(422);
        expect(answer.headers.get('content-type')).toContain('application/problem+json');
        const problem = (await answer.json()) as { errors: { parameter: string }[] };
        expect(problem.errors.map(({ parameter }) => parameter)).toEqual([name]);
      }),
      { numRuns: 60 },
    );
  });
});

describe('the lists of stores and categories', () => {
  test('lists each store and category once, by name, on any page', async () => {
    for (let n = 0; n < 50; n += 1) {
      await insertMerchant(database.db, { name: `Store ${String((n * 7) % 50).padStart(2, '0')}` });
    }
    const pages = await walk('/api/v1/merchants');
    const slugs = pages.flatMap(({ data }) => data.map(({ slug }) => slug));
    expect(slugs.length).toBe(52);
    expect(new Set(slugs).size).toBe(52);
    const { rows: stored } = await sql<{ slug: string }>`select slug from merchants`.execute(
      database.db,
    );
    expect(slugs.toSorted()).toEqual(stored.map(({ slug }) => slug).toSorted());
    expect(pages.map(({ data }) => data.length)).toEqual([24, 24, 4]);
  });

  test('links pages of stores and categories in both directions', async () => {
    for (let n = 0; n < 30; n += 1) await insertMerchant(database.db);
    const last = await site.request('/api/v1/merchants?page=2');
    expect(linkOf(last.headers, 'next')).toBeNull();
    const before = linkOf(last.headers, 'prev') ?? '';
    expect((await (await site.request(before)).json()).page.number).toBe(1);
    expect((await site.request('/api/v1/merchants?page=3')).status).toBe(404);
  });
});
