import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { readEnv } from '#app/platform/env.server.ts';
import { readForecastScore } from '#app/features/prices/forecast-queries.server.ts';
import {
  calibrationError,
  countJudged,
  isWrongTooOften,
} from '#app/features/prices/score-forecasts.ts';
import { linkDeals, splitDeal } from '#app/features/products/review-links.server.ts';
import { removeDemo } from '#database/seed/remove-demo.ts';
import { insertDeal } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { fillDemoShop } from './fill-demo-shop.server.ts';

const database = useTestDatabase();
const now = new Date();
const DATA_DIR = await mkdtemp(path.join(os.tmpdir(), 'demo-shop-'));
afterAll(() => rm(DATA_DIR, { recursive: true, force: true }));

const fill = () => fillDemoShop({ db: database.db, env: readEnv({ DATA_DIR }), now: () => now });
const countProducts = async () =>
  (await database.db.selectFrom('products').select('id').execute()).length;
const count = async (from: 'deal_forecasts' | 'forecasts') =>
  (await sql<{ n: number }>`select count(*) as n from ${sql.table(from)}`.execute(database.db))
    .rows[0]?.n;

/**
 * Returns each store's number of deals and how many are at a low. Stores sampled in fewer than ten
 * months are omitted.
 */
async function yearsOfLows() {
  const { rows } = await sql<{ slug: string; deals: number; lows: number }>`
    select m.slug, sum((low ->> 'deals')::integer) as deals, sum((low ->> 'at_low')::integer) as lows
      from store_checks c join merchants m on m.id = c.merchant_id, jsonb_array_elements(c.lows) low
     group by m.slug having count(*) >= 10 order by m.slug`.execute(database.db);
  return rows;
}

test('shows a year of lows, forecasts and 12 weeks of their accuracy in a new shop', async () => {
  await fill();

  expect(await count('deal_forecasts')).toBe(40);
  const score = await readForecastScore(database.db, now);
  expect(countJudged(score)).toBeGreaterThan(400);
  expect(calibrationError(score)).toBeLessThan(0.05);
  expect(isWrongTooOften(score)).toBe(false);
  const years = await yearsOfLows();
  expect(years.map(({ slug }) => slug)).toEqual(['fernway-fitness', 'lumen-lark', 'voltkrone']);
  for (const { deals, lows } of years) {
    expect(deals).toBeGreaterThan(300);
    expect(lows / deals).toBeGreaterThan(0.05);
    expect(lows / deals).toBeLessThan(0.5);
  }

  const kept = await count('forecasts');
  await fill();
  expect(await count('forecasts')).toBe(kept);
  expect(await yearsOfLows()).toEqual(years);

  await removeDemo(database.db);
  expect(await count('forecasts')).toBe(0);
  await fill();
  expect((await yearsOfLows()).map(({ slug }) => slug)).toEqual(years.map(({ slug }) => slug));
});

test('links the offers of 40 products, one of them a variant, and removes the products', async () => {
  await fill();

  const { rows } = await sql<{ stores: number; deals: number }>`
    select count(distinct merchant_id) as stores, count(*) as deals
      from deals where gtin is not null group by gtin, product_id`.execute(database.db);
  expect(rows).toHaveLength(40);
  expect(rows.filter(({ stores, deals }) => stores !== deals)).toEqual([]);
  const products = await database.db
    .selectFrom('products as p')
    .leftJoin('products as main', 'main.id', 'p.variant_of')
    .select(['p.variant_label', 'main.title as of'])
    .orderBy('p.variant_label')
    .execute();
  expect(products).toHaveLength(40);
  expect(products.slice(0, 2)).toEqual([
    { variant_label: '256 GB', of: 'Aurel 6 smartphone (128 GB)' },
    { variant_label: null, of: null },
  ]);

  await removeDemo(database.db);
  expect(await countProducts()).toBe(0);
});

test('removes demo products even if the owner changed them, but keeps products of the owner’s deals', async () => {
  await fill();
  const [split, moved] = await database.db
    .selectFrom('deals')
    .select(['id', 'gtin', 'title', 'sale_price'])
    .where('product_id', 'is not', null)
    .orderBy('gtin')
    .orderBy('id')
    .distinctOn('gtin')
    .limit(2)
    .execute();
  if (!split || !moved) throw new Error('The demo shop has no products.');
  expect(await splitDeal(database.db, 'owner', split.id)).not.toBeNull();
  await database.db.updateTable('products').set({ title: 'Renamed by the owner' }).execute();
  const { gtin, title, sale_price } = moved;
  const own = await insertDeal(database.db, { gtin, title, sale_price });
  expect(await linkDeals(database.db, 'owner', own.id, moved.id)).toBe(true);

  await removeDemo(database.db);
  expect(await countProducts()).toBe(1);
  const { product_id } = await database.db
    .selectFrom('deals')
    .select('product_id')
    .where('id', '=', own.id)
    .executeTakeFirstOrThrow();
  expect(product_id).not.toBeNull();
});

test('leaves forecasts and checks to the nightly jobs in a shop with its own deals', async () => {
  await insertDeal(database.db);
  await fill();
  expect(await count('forecasts')).toBe(0);
});
