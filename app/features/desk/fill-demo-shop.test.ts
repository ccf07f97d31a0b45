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
import { removeDemo } from '#database/seed/remove-demo.ts';
import { insertDeal } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { fillDemoShop } from './fill-demo-shop.server.ts';

const database = useTestDatabase();
const now = new Date();
const DATA_DIR = await mkdtemp(path.join(os.tmpdir(), 'demo-shop-'));
afterAll(() => rm(DATA_DIR, { recursive: true, force: true }));

const fill = () => fillDemoShop({ db: database.db, env: readEnv({ DATA_DIR }), now: () => now });
const count = async (from: 'deal_forecasts' | 'forecasts') =>
  (await sql<{ n: number }>`select count(*) as n from ${sql.table(from)}`.execute(database.db))
    .rows[0]?.n;

/**
 * Returns each store's number of deals and of deals at a low. Stores with samples in fewer than ten
 * months are omitted.
 */
async function yearsOfLows() {
  const { rows } = await sql<{ slug: string; deals: number; lows: number }>`
    select m.slug, sum((low ->> 'deals')::integer) as deals, sum((low ->> 'at_low')::integer) as lows
      from store_checks c join merchants m on m.id = c.merchant_id, jsonb_array_elements(c.lows) low
     group by m.slug having count(*) >= 10 order by m.slug`.execute(database.db);
  return rows;
}

test('shows forecasts, their accuracy over 12 weeks, and a year of lows in a new shop', async () => {
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

test('leaves forecasts and checks to the nightly jobs in a shop with its own deals', async () => {
  await insertDeal(database.db);
  await fill();
  expect(await count('forecasts')).toBe(0);
});
