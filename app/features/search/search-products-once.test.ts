import { beforeEach, expect, test } from 'vitest';
import { useTestDatabase } from '#test/database.ts';
import {
  insertCategory,
  insertDeal,
  insertMerchant,
  insertProduct,
} from '#test/factories/insert.ts';
import {
  findDealIdsByName,
  findSimilarDealIds,
  listNewestMatches,
  searchCatalog,
  type SearchRequest,
} from './search-queries.server.ts';

const database = useTestDatabase();

beforeEach(async () => {
  const { db } = database;
  const category_id = (await insertCategory(db)).id;
  const product = await insertProduct(db);
  const [one, two] = [(await insertMerchant(db)).id, (await insertMerchant(db)).id];
  const put = (merchant_id: number, sale_price: number, facts: object = {}) =>
    insertDeal(db, { category_id, merchant_id, title: 'Lumo lantern', sale_price, ...facts });
  await put(one, 900);
  await put(one, 700);
  await put(two, 800);
  await put(two, 600, { expires_at: new Date(0) });
  await put(two, 500);
  await db.updateTable('deals').set({ product_id: product.id }).where('id', '<', 5).execute();
});

async function search(given: Partial<SearchRequest>) {
  const base = {
    query: 'lantern',
    sort: 'price_low',
    filter: {},
    page: 1,
    isExact: false,
  } as const;
  const { deals, ...found } = await searchCatalog(database.db, { ...base, ...given });
  const { total, expiredTotal, productTotal } = found;
  return { ids: deals.map(({ id }) => id), total, expiredTotal, productTotal };
}

test('lists a product once in a search, with its first matching deal', async () => {
  const counts = { total: 5, expiredTotal: 1, productTotal: 2 };
  expect(await search({})).toEqual({ ...counts, ids: [5, 2] });
  expect(await search({ sort: 'price_high' })).toEqual({ ...counts, ids: [1, 5] });
  expect(await search({ filter: { minPrice: 750 } })).toEqual({
    ids: [3],
    total: 2,
    expiredTotal: 0,
    productTotal: 1,
  });
});

test('finds every deal in a search within a store or by an API client', async () => {
  const counts = { expiredTotal: 0, productTotal: null };
  expect(await search({ filter: { merchantId: 1 } })).toEqual({ ...counts, ids: [2, 1], total: 2 });
  const all = await search({ isEveryDeal: true });
  expect(all).toEqual({ ids: [5, 2, 3, 1, 4], total: 5, expiredTotal: 1, productTotal: null });
});

test('lists a product once in the feed of a search', async () => {
  const deals = await listNewestMatches(database.db, 'lantern', 10);
  expect(deals.map(({ id }) => id)).toEqual([5, 3]);
});

test('finds a product once by its name, however many stores sell it', async () => {
  const { db } = database;
  const name = 'Lumo brass sextant';
  for (let n = 0; n < 6; n++) await insertDeal(db, { title: name, product_id: 1 });
  expect(await findDealIdsByName(db, 'lumo brass sextant')).toHaveLength(1);
  expect(await findSimilarDealIds(db, 'steel sextant')).toHaveLength(1);
});
