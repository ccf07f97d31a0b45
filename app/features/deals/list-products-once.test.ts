import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { useTestDatabase } from '#test/database.ts';
import {
  insertCategory,
  insertDeal,
  insertMerchant,
  insertProduct,
} from '#test/factories/insert.ts';
import {
  listBestDeals,
  listDeals,
  listFeaturedDeals,
  listRecentDeals,
} from './deal-list-queries.server.ts';
import { listEndingDeals, listFallenDeals, listNewestDeals } from './deal-feed-queries.server.ts';
import { findDealById } from './deal-queries.server.ts';
import { listSimilarDeals } from './similar-deals-queries.server.ts';

const database = useTestDatabase();
const place = { categoryId: 0, merchantId: 0 };

const idsOf = (deals: readonly { id: number }[]) => deals.map(({ id }) => id);

/** Links these deals to a new product. */
async function link(ids: number[], gtin: string): Promise<void> {
  const { id } = await insertProduct(database.db, { gtin, slug: gtin });
  await database.db.updateTable('deals').set({ product_id: id }).where('id', 'in', ids).execute();
}

beforeEach(async () => {
  const { db } = database;
  place.categoryId = (await insertCategory(db)).id;
  place.merchantId = (await insertMerchant(db)).id;
  const expires_at = new Date(Date.now() + 3_600_000);
  for (let n = 1; n <= 6; n++) {
    await insertDeal(db, {
      category_id: place.categoryId,
      merchant_id: place.merchantId,
      is_featured: true,
      expires_at,
    });
  }
  await link([1, 2], '1');
  await link([3, 4], '2');
});

test('lists a product once in the sections of the home page', async () => {
  for (const list of [listFeaturedDeals, listRecentDeals, listBestDeals]) {
    expect(idsOf(await list(database, 6))).toEqual([6, 5, 4, 2]);
  }
});

test('lists similar deals of other products, each product once', async () => {
  const asked = await findDealById(database.db, 1);
  expect(asked?.product_id).toBe(1);
  const deal = { id: 1, product_id: asked?.product_id ?? null, category: { id: place.categoryId } };
  expect(idsOf(await listSimilarDeals(database.db, deal, 6))).toEqual([6, 5, 4]);
});

test('lists a product once in a category’s feeds, but every deal in a store’s feeds', async () => {
  const { db } = database;
  const watched = {
    watched_since: new Date(0),
    lower_until: new Date(0),
    higher_until: new Date(),
  };
  await db.updateTable('price_proofs').set(watched).execute();
  const { categoryId, merchantId } = place;
  for (const [list, first] of [
    [listNewestDeals, [6, 5, 4, 2]],
    [listFallenDeals, [6, 5, 4, 2]],
    [listEndingDeals, [1, 3, 5, 6]],
  ] as const) {
    expect(idsOf(await list(db, { categoryId }, 6))).toEqual(first);
    expect(await list(db, { categoryId, merchantId }, 6)).toHaveLength(6);
  }
});

test('continues reading a list until its page is full', async () => {
  const { db } = database;
  const facts = { category_id: place.categoryId, merchant_id: place.merchantId };
  for (let n = 7; n <= 100; n++) await insertDeal(db, facts);
  await link(
    Array.from({ length: 80 }, (_, n) => 21 + n),
    '3',
  );
  const { deals, total, productTotal, pageCount } = await listDeals(database, {
    filter: {},
    sort: 'newest',
    page: 1,
  });
  const others = Array.from({ length: 16 }, (_, n) => 20 - n);
  expect(idsOf(deals)).toEqual([100, ...others, 4, 2]);
  expect({ total, productTotal, pageCount }).toEqual({
    total: 100,
    productTotal: 19,
    pageCount: 1,
  });
});

test('counts pages by deals in a category that shows every deal', async () => {
  for (let n = 7; n <= 60; n++) await insertDeal(database.db, { category_id: place.categoryId });
  const linked = Array.from({ length: 50 }, (_, n) => 11 + n);
  await link(linked, '3');
  for (const page of [1, 2, 3]) {
    const { pageCount, productTotal, isCollapsed } = await listDeals(database, {
      filter: { categoryId: place.categoryId },
      sort: 'newest',
      page,
      isEveryDeal: true,
    });
    expect({ pageCount, productTotal, isCollapsed }, `page ${page}`).toEqual({
      pageCount: 3,
      productTotal: null,
      isCollapsed: false,
    });
  }
});

test('marks the total as capped when more deals expired than pages can show', async () => {
  const { db } = database;
  await db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    await sql`
      insert into deals (title, slug, sale_price, original_price, deal_url, category_id, merchant_id, product_id, is_active, is_expired)
      select 'Deal ' || n, 'deal-' || n, 500, 600, 'https://shop.example/' || n, ${place.categoryId}, ${place.merchantId},
             1 + n % 2, true, n > 12500
        from generate_series(1, 25000) n`.execute(tx);
    await sql`update site_counters set value = 12506 where name = 'live_deals'`.execute(tx);
  });
  const list = await listDeals(database, { filter: {}, sort: 'newest', page: 1 });
  // Two products and two other deals have a card each, which leaves room for 11,996 cards.
  expect(list).toMatchObject({
    total: 12_506 + 11_996,
    expiredTotal: 11_996,
    isTotalCapped: true,
    productTotal: 4,
    pageCount: 1,
  });
});
