import { expect, test } from 'vitest';
import { insertDeal } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { readPriceHistory } from './price-history-queries.server.ts';

const database = useTestDatabase();

/** Creates a deal with these prices, each this many days ago. */
async function aDealWithLog(...log: [daysAgo: number, price: number][]): Promise<number> {
  const { db } = database;
  const deal = await insertDeal(db, { price_source: 'demo' });
  for (const [daysAgo, sale_price] of log) {
    const at = new Date(Date.now() - daysAgo * 86_400_000);
    await db
      .insertInto('price_log')
      .values({ deal_id: deal.id, at, sale_price, availability: 'in_stock', source: 'feed' })
      .execute();
  }
  return deal.id;
}

const pricesOf = (history: { sale_price: number }[]) => history.map((entry) => entry.sale_price);

test('returns the prices in a window, preceded by the one in force at its beginning', async () => {
  const id = await aDealWithLog([400, 5000], [100, 4000], [60, 3000], [10, 2000]);
  expect(pricesOf(await readPriceHistory(database.db, id, 30))).toEqual([3000, 2000]);
  expect(pricesOf(await readPriceHistory(database.db, id, 90))).toEqual([4000, 3000, 2000]);
  expect(pricesOf(await readPriceHistory(database.db, id, 365))).toEqual([5000, 4000, 3000, 2000]);
});

test('returns the whole price log when no number of days is given', async () => {
  const id = await aDealWithLog([2000, 6000], [10, 2000]);
  expect(pricesOf(await readPriceHistory(database.db, id, null))).toEqual([6000, 2000]);
});

test('returns an older price only if it was still in force', async () => {
  const id = await aDealWithLog([200, 5000], [100, 4000]);
  expect(pricesOf(await readPriceHistory(database.db, id, 30))).toEqual([4000]);
});

test('returns no price history without a log, and never that of another deal', async () => {
  await aDealWithLog([10, 2000]);
  const other = await aDealWithLog();
  expect(await readPriceHistory(database.db, other, null)).toEqual([]);
});
