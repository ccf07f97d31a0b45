import {
  assert,
  asyncProperty,
  boolean,
  constantFrom,
  integer,
  oneof,
  option,
  record,
} from '#test/fast-check.ts';
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { insertCategory, insertMerchant } from '#test/factories/insert.ts';
import { fold } from '#app/platform/fold.ts';
import { writeSiteSetting } from '#app/features/site-settings/site-settings-queries.server.ts';
import { useTestDatabase } from '#test/database.ts';
import { type PriceClaims, priceClaims } from '#app/features/site-settings/site-settings.ts';
import { shownPercent } from './deal-conditions.server.ts';
import { countDealFacets } from './deal-facet-queries.server.ts';
import { type DealFilter } from './deal-list-input.ts';
import { parseContents, units } from './net-contents.ts';
import { listSorts } from './deal-sorts.ts';
import { type DealList, listDeals } from './deal-list-queries.server.ts';

const database = useTestDatabase();
const dealCount = 130;

interface Row {
  id: number;
  title: string;
  sale_price: number;
  discount_percent: number;
  observed_percent: number;
  checked_percent: number;
  status: string;
  condition: string | null;
  brand: string | null;
  seller_type: string;
  coupon_code: string | null;
  is_featured: boolean;
  is_active: boolean;
  expires_at: Date | null;
  created_at: Date;
  category_id: number;
  merchant_id: number;
  price_checked_at: Date;
  /** The time when an import last saw the deal unchanged. */
  seen_at: Date | null;
  /** The age of the deal's price log in days. */
  watched: number;
  lower: number | null;
  higher: number | null;
  below_usual: number | null;
  net_contents: string | null;
  product_id: number | null;
}

const forgetfulMerchant = 2;

const hidingMerchant = 3;
const hiddenAfterMs = 24 * 3_600_000;

let rows: Row[] = [];

// Creates deals with every combination of traits and ends. One in seven is expired without the
// flag, since the job has not run yet.
beforeEach(async () => {
  for (let n = 0; n < 3; n++) {
    await insertCategory(database.db);
    await insertMerchant(database.db);
  }
  await database.db
    .updateTable('merchants')
    .set({ hide_price_after_hours: 24 })
    .where('id', '=', hidingMerchant)
    .execute();
  await sql`
    insert into deals (title, slug, sale_price, original_price, low_30_before, reference_price, deal_url, status, condition, brand, seller_type, coupon_code,
                       is_featured, is_active, expires_at, created_at, price_checked_at, net_contents, category_id, merchant_id)
    select 'Deal ' || n, 'deal-' || n, 500 + (n * 37 % 11) * 100, 900 + (n * 53 % 13) * 100,
           case when n % 3 > 0 then 700 + (n * 29 % 9) * 100 end, case when n % 4 > 0 then 600 + (n * 31 % 10) * 100 end, 'https://shop.example/' || n,
           case when n % 2 = 0 then 'used' else 'new' end,
           case when n % 8 = 0 then 'refurbished' when n % 8 = 2 then 'good' end,
           case when n % 3 > 0 then (array['Lumo', 'LÚMO', 'Vela', ''])[1 + n % 4] end, case when n % 3 = 0 then 'amazon' else 'third_party' end,
           case when n % 5 = 0 then 'CODE' end, n % 4 = 0, n % 17 <> 0,
           case when n % 7 = 1 then now() - interval '1 day' when n % 7 = 2 then now() + interval '60 hours'
                when n % 7 = 3 then now() + interval '80 hours' when n % 7 = 4 then now() + interval '70 hours' end,
           timestamptz '2026-01-01' + n % 50 * interval '1 day',
           now() - n % 5 * interval '10 hours',
           (array['500 g', '1.5 kg', '330 ml', '12 ct', '2 lb', '3 m', '4 sqm'])[n % 9], 1 + n % 3, 1 + n * 7 % 3
      from generate_series(1, ${dealCount}::integer) n`.execute(database.db);
  await sql`
    insert into products (slug, title) select 'product-' || n, 'Product ' || n from generate_series(1, 5) n`.execute(
    database.db,
  );
  await sql`alter table deals disable trigger user`.execute(database.db);
  await sql`update deals set product_id = 1 + id % 5 where id % 2 = 0`.execute(database.db);
  await sql`update deals set expires_at = now() - interval '5 seconds' where id % 7 = 4`.execute(
    database.db,
  );
  await sql`alter table deals enable trigger user`.execute(database.db);
  await sql`
    insert into deal_price_checks (deal_id, checked_at)
    select id, now() - id % 6 * interval '8 hours' from deals where id % 4 = 0`.execute(
    database.db,
  );
  await sql`
    update price_proofs set watched_since = now() - deal_id % 4 * interval '10 days',
           lower_until = case when deal_id % 3 > 0 then now() - deal_id % 12 * interval '10 days' else '-infinity' end,
           higher_until = case when deal_id % 5 > 0 then now() - deal_id % 11 * interval '9 days' end,
           below_usual = case when deal_id % 4 > 0 then 1 + deal_id % 6 end`.execute(database.db);
  await sql`update merchants set keep_history = false where id = ${forgetfulMerchant}`.execute(
    database.db,
  );
  rows = await database.db
    .selectFrom('deals')
    .leftJoin('deal_price_checks', 'deal_price_checks.deal_id', 'deals.id')
    .select([
      'id',
      'title',
      'sale_price',
      'discount_percent',
      'observed_percent',
      'checked_percent',
      'status',
    ])
    .select(['condition', 'brand'])
    .select(['seller_type', 'coupon_code', 'is_featured', 'is_active', 'expires_at', 'created_at'])
    .select(['category_id', 'merchant_id', 'price_checked_at', 'checked_at as seen_at'])
    .select(['net_contents', 'product_id'])
    .innerJoin('price_proofs', 'price_proofs.deal_id', 'deals.id')
    .select([
      'below_usual',
      sql<number>`deals.id % 4 * 10`.as('watched'),
      sql<number | null>`case when deals.id % 3 > 0 then deals.id % 12 * 10 end`.as('lower'),
      sql<number | null>`case when deals.id % 5 > 0 then deals.id % 11 * 9 end`.as('higher'),
    ])
    .execute();
});

const filters = record({
  categoryId: option(integer({ min: 1, max: 4 }), { nil: undefined }),
  merchantId: option(integer({ min: 1, max: 4 }), { nil: undefined }),
  status: option(constantFrom('new' as const, 'used' as const), { nil: undefined }),
  sellerType: option(constantFrom('amazon' as const, 'third_party' as const), { nil: undefined }),
  dealType: option(constantFrom('featured' as const, 'coupon' as const, 'expiring' as const), {
    nil: undefined,
  }),
  evidence: option(constantFrom('low' as const, 'fell' as const), { nil: undefined }),
  condition: option(constantFrom('refurbished' as const, 'good' as const), { nil: undefined }),
  brand: option(constantFrom('lumo', 'VELA', 'none'), { nil: undefined }),
  off: option(integer({ min: 1, max: 60 }), { nil: undefined }),
  minPrice: option(integer({ min: 400, max: 1600 }), { nil: undefined }),
  maxPrice: option(integer({ min: 400, max: 1600 }), { nil: undefined }),
} satisfies Record<keyof DealFilter, unknown>);

/** Few filters, so that lists are long and contain several deals of a product. */
const fewFilters = record(
  {
    categoryId: integer({ min: 1, max: 3 }),
    status: constantFrom('new' as const, 'used' as const),
    minPrice: integer({ min: 400, max: 1200 }),
  },
  { requiredKeys: ['minPrice'] },
);

// Proves P35d: a hidden price is told by no filter, order or count (deal-conditions.server.ts)
test('paginates the same list as a naive query, for any filter and sort', async () => {
  await assert(
    asyncProperty(
      oneof(filters, fewFilters),
      constantFrom(...listSorts),
      constantFrom(...priceClaims),
      boolean(),
      async (filter: DealFilter, sort, claims, isEveryDeal) => {
        await announce(claims);
        const pages = await readPages({ filter, sort, priceClaims: claims, isEveryDeal });
        const expected = expectedList(filter, sort, claims);
        const isOnce = !isEveryDeal && filter.merchantId === undefined;
        const cards = isOnce ? firstOfProducts(expected.all) : expected.all;
        const products = cards.filter((id) => expected.live.includes(id)).length;
        expect(pages.flatMap((page) => page.deals.map((deal) => deal.id))).toEqual(cards);
        expect(pages.flatMap((page) => page.deals.map((deal) => deal.is_expired))).toEqual(
          cards.map((_, index) => index >= products),
        );
        for (const page of pages) {
          expect(page).toMatchObject({
            total: expected.all.length,
            expiredTotal: expected.all.length - expected.live.length,
            isTotalCapped: false,
            isCollapsed: cards.length < expected.all.length,
            productTotal: products < expected.live.length ? products : null,
          });
          expect(page.pageCount).toBe(Math.max(1, Math.ceil(cards.length / 24)));
        }
      },
    ),
    { numRuns: 150 },
  );
});

/** Sets the basis of the percentages on cards, which the discount filter uses as well. */
function announce(claims: PriceClaims) {
  return writeSiteSetting(database.db, 'priceClaims', claims, 'model');
}

test('counts the stores of live deals', async () => {
  await assert(
    asyncProperty(filters, async (filter) => {
      const isSiteWide = Object.values(filter).every((value) => value === undefined);
      const list = await listDeals(database, { filter, sort: 'newest', page: 1 });
      const live = expectedList(filter, 'newest', 'checked').live;
      const stores = new Set(live.map((id) => rowOf(id).merchant_id)).size;
      expect(list.storeCount).toBe(isSiteWide ? 3 : stores);
    }),
    { numRuns: 60 },
  );
});

test('counts for each filter option the live deals that it would leave', async () => {
  await assert(
    asyncProperty(filters, constantFrom(...listSorts), async (filter, sort) => {
      const facets = await countDealFacets(database.db, filter, sort);
      const left = (choice: DealFilter) =>
        expectedList({ ...filter, ...choice }, sort, 'checked').live.length;
      const countOf = (choice: DealFilter) => ({ count: left(choice), isCapped: false });
      expect(facets).toEqual({
        status: { new: countOf({ status: 'new' }), used: countOf({ status: 'used' }) },
        sellerType: {
          amazon: countOf({ sellerType: 'amazon' }),
          third_party: countOf({ sellerType: 'third_party' }),
        },
        dealType: {
          featured: countOf({ dealType: 'featured' }),
          coupon: countOf({ dealType: 'coupon' }),
          expiring: countOf({ dealType: 'expiring' }),
        },
        hasUnitPrices: true,
      });
    }),
    { numRuns: 60 },
  );
});

async function readPages(
  query: Omit<Parameters<typeof listDeals>[1], 'page'>,
): Promise<DealList[]> {
  const pages = [await listDeals(database, { ...query, page: 1 })];
  while (pages.length < (pages[0]?.pageCount ?? 1)) {
    pages.push(await listDeals(database, { ...query, page: pages.length + 1 }));
  }
  return pages;
}

function expectedList(filter: DealFilter, sort: (typeof listSorts)[number], claims: PriceClaims) {
  const now = Date.now();
  const isByPrice =
    [filter.off, filter.minPrice, filter.maxPrice, filter.evidence].some(
      (bound) => bound !== undefined,
    ) || ['best', 'price_low', 'price_high', 'unit_price'].includes(sort);
  const discount = (row: Row) => row[shownPercent[claims]];
  const found = rows.filter(
    (row) =>
      row.is_active &&
      passes(row, filter, now) &&
      discount(row) >= (filter.off ?? 0) &&
      !(isByPrice && isHiddenPrice(row, now)),
  );
  const isExpired = (row: Row) => row.expires_at !== null && row.expires_at.getTime() <= now;
  const compare = {
    newest,
    discount: (a: Row, b: Row) => discount(b) - discount(a) || b.id - a.id,
    best: (a: Row, b: Row) => below(b) - below(a) || (below(a) === 0 ? newest(a, b) : b.id - a.id),
    price_low: (a: Row, b: Row) => a.sale_price - b.sale_price || a.id - b.id,
    price_high: (a: Row, b: Row) => b.sale_price - a.sale_price || b.id - a.id,
    unit_price: byUnitPrice,
  }[sort];
  const live = found.filter((row) => !isExpired(row)).toSorted(compare);
  const expired = found.filter(isExpired).toSorted(newest);
  return { live: live.map((row) => row.id), all: [...live, ...expired].map((row) => row.id) };
}

/** Keeps the first deal of each product, and the deals without one. */
function firstOfProducts(ids: number[]): number[] {
  const products = ids.map((id) => rowOf(id).product_id);
  return ids.filter((_, n) => products[n] === null || products.indexOf(products[n] ?? null) === n);
}

/** P35d: filters and orders by price must not reveal a hidden price. */
function isHiddenPrice(row: Row, now: number): boolean {
  const seen = Math.max(row.price_checked_at.getTime(), row.seen_at?.getTime() ?? 0);
  return row.merchant_id === hidingMerchant && now - seen > hiddenAfterMs;
}

test('generates deals of each kind: hidden, seen again in time, and of a merchant that hides nothing', () => {
  const now = Date.now();
  const hiding = rows.filter((row) => row.merchant_id === hidingMerchant);
  expect(hiding.filter((row) => isHiddenPrice(row, now)).length).toBeGreaterThan(10);
  const again = hiding.filter(
    (row) => !isHiddenPrice(row, now) && now - row.price_checked_at.getTime() > hiddenAfterMs,
  );
  expect(again.length).toBeGreaterThan(1);
});

function below({ merchant_id, below_usual }: Row): number {
  return merchant_id === forgetfulMerchant ? 0 : (below_usual ?? 0);
}

const kindsInOrder = ['weight', 'volume', 'length', 'area', 'pieces'];

function byUnitPrice(a: Row, b: Row): number {
  const [one, other] = [parseContents(a.net_contents), parseContents(b.net_contents)];
  if (!one || !other) return one ? -1 : other ? 1 : newest(a, b);
  const kind = ({ amount }: typeof one) => kindsInOrder.indexOf(units[amount.unit].kind);
  const price = (row: Row, { amount }: typeof one) =>
    row.sale_price / (amount.quantity * units[amount.unit].size);
  return kind(one) - kind(other) || price(a, one) - price(b, other) || a.id - b.id;
}

function newest(a: Row, b: Row): number {
  return b.created_at.getTime() - a.created_at.getTime() || b.id - a.id;
}

function passes(row: Row, filter: DealFilter, now: number): boolean {
  const left = (row.expires_at?.getTime() ?? Infinity) - now;
  return (
    (filter.categoryId ?? row.category_id) === row.category_id &&
    (filter.merchantId ?? row.merchant_id) === row.merchant_id &&
    (filter.status ?? row.status) === row.status &&
    (!filter.brand || fold(filter.brand) === fold(row.brand ?? '')) &&
    (filter.condition ?? row.condition) === row.condition &&
    (filter.sellerType ?? row.seller_type) === row.seller_type &&
    row.sale_price >= (filter.minPrice ?? 0) &&
    row.sale_price <= (filter.maxPrice ?? Infinity) &&
    (!filter.evidence || isEvident(row, filter.evidence, left)) &&
    (filter.dealType !== 'featured' || row.is_featured) &&
    (filter.dealType !== 'coupon' || row.coupon_code !== null) &&
    (filter.dealType !== 'expiring' || (left > 0 && left <= 72 * 3_600_000))
  );
}

/** Returns for a live deal whether it was higher in this many days, and lower in none. */
function isEvident(row: Row, evidence: 'low' | 'fell', left: number): boolean {
  const days = evidence === 'low' ? 90 : 7;
  return (
    left > 0 &&
    row.merchant_id !== forgetfulMerchant &&
    (row.higher ?? Infinity) < days &&
    (row.lower ?? Infinity) >= days &&
    (evidence === 'fell' || row.watched >= 14)
  );
}

function rowOf(id: number): Row {
  const row = rows.find((candidate) => candidate.id === id);
  if (!row) throw new Error(`no deal ${id}`);
  return row;
}
