import * as fc from '#test/fast-check.ts';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { insertCategory, insertDeal, insertMerchant } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { countDealFacets } from './deal-facet-queries.server.ts';
import { type DealFilter } from './deal-list-input.ts';
import { listSorts } from './deal-sorts.ts';
import {
  type DealSummary,
  listDeals,
  listDealsByIds,
  listFeaturedDeals,
  listRecentDeals,
  pageSize,
} from './deal-list-queries.server.ts';
import { listSimilarDeals } from './similar-deals-queries.server.ts';
import { findDealById, findDealBySlug, findDealRedirect } from './deal-queries.server.ts';
import { expireDeals } from './expire-deals-job.server.ts';

const database = useTestDatabase();
const hour = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * hour);

async function aShelf() {
  const category = await insertCategory(database.db);
  const merchant = await insertMerchant(database.db);
  return { category_id: category.id, merchant_id: merchant.id };
}

async function insertMany(count: number, make: (n: number) => Parameters<typeof insertDeal>[1]) {
  const shelf = await aShelf();
  for (let n = 0; n < count; n++) await insertDeal(database.db, { ...shelf, ...make(n) });
  return shelf;
}

async function wholeList(
  filter: DealFilter,
  sort: (typeof listSorts)[number],
): Promise<DealSummary[]> {
  const all: DealSummary[] = [];
  for (let page = 1; ; page++) {
    const list = await listDeals(database, { filter, sort, page });
    all.push(...list.deals);
    if (page >= list.pageCount) return all;
  }
}

describe('a list of deals', () => {
  // Proves P3: inactive never seen (deal-conditions.server.ts)
  test('never lists an inactive deal (P3)', async () => {
    const shown = await insertDeal(database.db);
    const hidden = await insertDeal(database.db, { is_active: false, is_featured: true });
    expect((await wholeList({}, 'newest')).map((deal) => deal.id)).toEqual([shown.id]);
    expect(await listFeaturedDeals(database, 6)).toEqual([]);
    expect(await listDealsByIds(database.db, [hidden.id])).toEqual([]);
    expect(await findDealById(database.db, hidden.id)).toBeNull();
    expect(await findDealBySlug(database.db, hidden.slug)).toBeNull();
    expect(await findDealRedirect(database.db, String(hidden.id))).toBeNull();
  });

  // Proves P4: expired after live
  test('never lists an expired deal before a live one in any sort order (P4)', async () => {
    await insertMany(60, (n) => ({
      sale_price: 500 + ((n * 37) % 60) * 100,
      original_price: 20_000 - ((n * 13) % 60) * 100,
      expires_at: n % 4 === 0 ? inHours(-1 - n) : n % 4 === 1 ? inHours(100) : null,
    }));
    for (const sort of listSorts) {
      const flags = (await wholeList({}, sort)).map((deal) => deal.is_expired);
      expect(flags, sort).toEqual([...Array(45).fill(false), ...Array(15).fill(true)]);
    }
  });

  test('lists each deal on exactly one page, for any number of live and expired ones', async () => {
    const { category_id } = await insertMany(70, () => ({}));
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 70 }),
        fc.constantFrom(...listSorts),
        async (expired, sort) => {
          await sql`update deals set expires_at = case when id <= ${expired} then now() - interval '1 day' end`.execute(
            database.db,
          );
          const ids = (await wholeList({ categoryId: category_id }, sort)).map((deal) => deal.id);
          expect(ids.toSorted((a, b) => a - b)).toEqual(
            Array.from({ length: 70 }, (_, n) => n + 1),
          );
        },
      ),
      { numRuns: 12 },
    );
  });

  // Proves Storefront 2: Deals list: four sorts
  // Proves Storefront 7: Deals newest first; of a merchant; of a category
  test('sorts deals by date, discount and price', async () => {
    const day = (n: number) => new Date(Date.UTC(2026, 0, n));
    const shelf = await aShelf();
    const insert = (title: string, sale_price: number, original_price: number, n: number) =>
      insertDeal(database.db, { ...shelf, title, sale_price, original_price, created_at: day(n) });
    await insert('cheap', 1000, 1100, 1);
    await insert('dear', 9000, 10_000, 3);
    await insert('bargain', 2000, 8000, 2);
    const order = async (sort: (typeof listSorts)[number]) =>
      (await wholeList({}, sort)).map((deal) => deal.title);
    expect(await order('newest')).toEqual(['dear', 'bargain', 'cheap']);
    expect(await order('price_low')).toEqual(['cheap', 'bargain', 'dear']);
    expect(await order('price_high')).toEqual(['dear', 'bargain', 'cheap']);
    expect((await order('discount'))[0]).toBe('bargain');
  });

  test('ranks by observed discounts if the site claims only those (P7a)', async () => {
    const shelf = await aShelf();
    await insertDeal(database.db, {
      ...shelf,
      title: 'claimed',
      sale_price: 1000,
      original_price: 9000,
    });
    await insertDeal(database.db, {
      ...shelf,
      title: 'seen',
      sale_price: 1000,
      original_price: 1200,
      low_30_before: 1500,
    });
    const titles = async (priceClaims: 'claimed' | 'observed') =>
      (await listDeals(database, { filter: {}, sort: 'discount', page: 1, priceClaims })).deals.map(
        (deal) => deal.title,
      );
    expect(await titles('claimed')).toEqual(['claimed', 'seen']);
    expect(await titles('observed')).toEqual(['seen', 'claimed']);
  });

  // Proves Storefront 2: Deals list: filters (deal-filter-bar.tsx)
  // Proves P20: Deal Type works (deal-conditions.server.ts)
  test('applies each list filter, alone and combined (P20)', async () => {
    const shelf = await aShelf();
    const insert = (title: string, overrides: Parameters<typeof insertDeal>[1]) =>
      insertDeal(database.db, { ...shelf, title, sale_price: 5000, ...overrides });
    await insert('plain', {});
    await insert('used', { status: 'used', condition: 'good' });
    await insert('amazon', { seller_type: 'amazon' });
    await insert('featured', { is_featured: true });
    await insert('coupon', { coupon_code: 'SAVE' });
    await insert('soon', { expires_at: inHours(71) });
    await insert('later', { expires_at: inHours(73) });
    await insert('cheap used coupon', { status: 'used', coupon_code: 'X', sale_price: 100 });
    const titles = async (filter: DealFilter) =>
      (await wholeList(filter, 'newest')).map((deal) => deal.title).toSorted();
    expect(await titles({ status: 'used' })).toEqual(['cheap used coupon', 'used']);
    expect(await titles({ sellerType: 'amazon' })).toEqual(['amazon']);
    expect(await titles({ dealType: 'featured' })).toEqual(['featured']);
    expect(await titles({ dealType: 'coupon' })).toEqual(['cheap used coupon', 'coupon']);
    expect(await titles({ dealType: 'expiring' })).toEqual(['soon']);
    expect(await titles({ maxPrice: 100 })).toEqual(['cheap used coupon']);
    expect(await titles({ minPrice: 101, status: 'used' })).toEqual(['used']);
    expect(await titles({ categoryId: shelf.category_id + 1 })).toEqual([]);
    expect(await titles({ merchantId: shelf.merchant_id, dealType: 'expiring' })).toEqual(['soon']);
  });

  test('reports which filters have results', async () => {
    await insertDeal(database.db, { status: 'used', seller_type: 'amazon' });
    await insertDeal(database.db, { is_featured: true, expires_at: inHours(-1) });
    const some = (count: number) => ({ count, isCapped: false });
    expect(await countDealFacets(database.db, {})).toEqual({
      status: { new: some(0), used: some(1) },
      sellerType: { amazon: some(1), third_party: some(0) },
      dealType: { featured: some(0), coupon: some(0), expiring: some(0) },
      hasUnitPrices: false,
    });
  });

  test('reports minimum counts when more than a thousand deals end soon, and exact ones otherwise', async () => {
    const { category_id, merchant_id } = await aShelf();
    await sql`set session_replication_role = replica`.execute(database.db);
    await sql`
      insert into deals (slug, title, sale_price, deal_url, category_id, merchant_id, is_featured, status, condition, expires_at)
      select 'ends-' || n, 'Ends ' || n, 1000 + n, 'https://shop.example/', ${category_id}, ${merchant_id}, n > 1060,
             case when n % 25 = 0 then 'used' else 'new' end, case when n % 25 = 0 then 'good' end, now() + n * interval '1 minute'
        from generate_series(1, 1100) n`.execute(database.db);
    await sql`set session_replication_role = origin`.execute(database.db);
    const counted = async (filter: DealFilter) => {
      const { status, dealType } = await countDealFacets(database.db, {
        ...filter,
        dealType: 'expiring',
      });
      return [status.new, status.used, dealType.featured];
    };
    expect(await counted({})).toEqual([
      { count: 960, isCapped: true },
      { count: 40, isCapped: true },
      { count: 40, isCapped: false },
    ]);
    expect(await counted({ minPrice: 2_050 })).toEqual([
      { count: 48, isCapped: false },
      { count: 3, isCapped: false },
      { count: 40, isCapped: false },
    ]);
  });

  test('returns an empty page with the total beyond the last one', async () => {
    await insertMany(pageSize + 1, () => ({}));
    const list = await listDeals(database, { filter: {}, sort: 'newest', page: 7 });
    expect(list).toMatchObject({
      deals: [],
      total: pageSize + 1,
      pageCount: 2,
      isTotalCapped: false,
    });
  });

  // Proves Storefront 7: Featured: 6, newest first
  test('fills featured and recent sections with live deals, newest first', async () => {
    const shelf = await insertMany(8, (n) => ({
      is_featured: n % 2 === 0,
      created_at: new Date(Date.UTC(2026, 0, n + 1)),
    }));
    await insertDeal(database.db, { ...shelf, is_featured: true, expires_at: inHours(-1) });
    expect((await listFeaturedDeals(database, 6)).map((deal) => deal.id)).toEqual([7, 5, 3, 1]);
    expect((await listRecentDeals(database, 6)).map((deal) => deal.id)).toEqual([8, 7, 6, 5, 4, 3]);
  });

  // Proves Storefront 9: Similar deals 3
  test('finds similar live deals of the same category, without the deal itself', async () => {
    const shelf = await insertMany(5, (n) => ({ expires_at: n === 0 ? inHours(-1) : null }));
    await insertDeal(database.db);
    const deal = { id: 3, product_id: null, category: { id: shelf.category_id } };
    const similar = await listSimilarDeals(database.db, deal, 3);
    expect(similar.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual([2, 4, 5]);
  });

  test('sorts similar deals by words of the title, brand, and price', async () => {
    const shelf = await aShelf();
    const put = (title: string, brand: string | null, sale_price: number) =>
      insertDeal(database.db, { ...shelf, title, brand, sale_price });
    const deal = await put(String.raw`Wireless headphones 'Pro\' | black`, 'Aurelia', 8000);
    await put('Wireless headphones, white', 'Aurelia', 9000);
    await put('Headphones with wire', 'Other', 7000);
    await put('Desk lamp', 'aurelia', 8000);
    await put('Desk lamp', null, 8100);
    await put('Grand piano', null, 900_000);
    const asked = { id: deal.id, product_id: null, category: { id: shelf.category_id } };
    const similar = await listSimilarDeals(database.db, asked, 5);
    expect(similar.map(({ title, sale_price }) => [title, sale_price])).toEqual([
      ['Wireless headphones, white', 9000],
      ['Headphones with wire', 7000],
      ['Desk lamp', 8000],
      ['Desk lamp', 8100],
      ['Grand piano', 900_000],
    ]);
  });
});

describe('the counters of live deals', () => {
  async function counters() {
    const site = await database.db
      .selectFrom('site_counters')
      .where('name', '=', 'live_deals')
      .select('value')
      .executeTakeFirstOrThrow();
    const categories = await database.db
      .selectFrom('categories')
      .select('deal_count')
      .orderBy('id')
      .execute();
    const merchants = await database.db
      .selectFrom('merchants')
      .select('deal_count')
      .orderBy('id')
      .execute();
    return [
      site.value,
      categories.map((row) => row.deal_count),
      merchants.map((row) => row.deal_count),
    ];
  }

  test('counts live deals correctly through insert, expiry, hiding, moving and deletion', async () => {
    const a = await aShelf();
    const b = await aShelf();
    await insertDeal(database.db, a);
    const second = await insertDeal(database.db, a);
    await insertDeal(database.db, { ...b, expires_at: inHours(-1) });
    expect(await counters()).toEqual([2, [2, 0], [2, 0]]);
    await database.db.updateTable('deals').set(b).where('id', '=', second.id).execute();
    expect(await counters()).toEqual([2, [1, 1], [1, 1]]);
    await database.db
      .updateTable('deals')
      .set({ is_active: false })
      .where('id', '=', second.id)
      .execute();
    expect(await counters()).toEqual([1, [1, 0], [1, 0]]);
    await database.db.deleteFrom('deals').execute();
    expect(await counters()).toEqual([0, [0, 0], [0, 0]]);
  });

  test('changes neither counter nor log when a change is rolled back', async () => {
    const deal = await insertDeal(database.db);
    const boom = new Error('rolled back');
    await expect(
      database.db.transaction().execute(async (tx) => {
        await tx
          .updateTable('deals')
          .set({ sale_price: 5, is_active: false })
          .where('id', '=', deal.id)
          .execute();
        throw boom;
      }),
    ).rejects.toBe(boom);
    expect((await counters())[0]).toBe(1);
    expect(await database.db.selectFrom('price_log').selectAll().execute()).toHaveLength(1);
  });

  // Proves Storefront 4: Deal expiry (expire-deals-job.server.ts)
  // Proves R52: the server’s time (expire-deals-job.server.ts)
  test('R52: lists a due deal as expired before the job marks it', async () => {
    const deal = await insertDeal(database.db, { expires_at: inHours(1) });
    // Simulates an hour without running the trigger.
    await sql`alter table deals disable trigger user`.execute(database.db);
    await sql`update deals set expires_at = now() - interval '1 second'`.execute(database.db);
    await sql`update deal_texts set expires_at = now() - interval '1 second'`.execute(database.db);
    await sql`alter table deals enable trigger user`.execute(database.db);
    const shown = async () => {
      const list = await listDeals(database, { filter: {}, sort: 'newest', page: 1 });
      return list.deals.map(({ id, is_expired }) => [id, is_expired]);
    };
    expect(await shown()).toEqual([[deal.id, true]]);
    await expireDeals(database.db);
    expect((await counters())[0]).toBe(0);
    expect(await shown()).toEqual([[deal.id, true]]);
  });
});

describe('a deal by its address', () => {
  // Proves P6: slugs and redirects (deal-queries.server.ts)
  test('finds a deal by its slug, and redirects from an old slug or its id (P6)', async () => {
    const deal = await insertDeal(database.db, { slug: 'first-name' });
    await database.db
      .updateTable('deals')
      .set({ slug: 'second-name' })
      .where('id', '=', deal.id)
      .execute();
    await database.db
      .updateTable('deals')
      .set({ slug: 'third-name' })
      .where('id', '=', deal.id)
      .execute();
    expect((await findDealBySlug(database.db, 'third-name'))?.id).toBe(deal.id);
    for (const old of ['first-name', 'second-name', String(deal.id)]) {
      expect(await findDealRedirect(database.db, old), old).toBe('third-name');
    }
    expect(await findDealRedirect(database.db, 'never-was')).toBeNull();
    expect(await findDealRedirect(database.db, '99999999999999999999')).toBeNull();
  });

  test('does not redirect from a slug that is used again', async () => {
    const deal = await insertDeal(database.db, { slug: 'a' });
    await database.db.updateTable('deals').set({ slug: 'b' }).where('id', '=', deal.id).execute();
    await database.db.updateTable('deals').set({ slug: 'a' }).where('id', '=', deal.id).execute();
    expect(await findDealRedirect(database.db, 'b')).toBe('a');
    expect(await findDealRedirect(database.db, 'a')).toBeNull();
  });
});
