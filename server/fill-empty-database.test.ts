import { expect, it } from 'vitest';
import { readEnv } from '#app/platform/env.server.ts';
import { createLog } from '#app/platform/log.server.ts';
import type { Db } from '#database/connect.ts';
import { insertDeal } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { fillEmptyDatabase } from '#server/fill-empty-database.ts';

const database = useTestDatabase();

/** Seeds only one deal, because other tests cover the whole demo shop. */
async function seedOneDeal({ db }: { db: Db }) {
  await insertDeal(db);
  return { categories: 1, merchants: 1, deals: 1, posts: 0 };
}

const fill = () => fillEmptyDatabase(database.db, readEnv({}), createLog('silent'), seedOneDeal);

async function countDeals(): Promise<number> {
  const { rows } = await database.pool.query('select count(*) as n from deals');
  return rows[0].n;
}

it('fills an empty site once, and not again after the demo shop was removed', async () => {
  await Promise.all([fill(), fill()]);
  expect(await countDeals()).toBe(1);
  await fill();
  expect(await countDeals()).toBe(1);
  await database.pool.query('delete from deals; delete from merchants; delete from categories');
  await fill();
  expect(await countDeals()).toBe(0);
});

it('changes nothing on a site that has data', async () => {
  await insertDeal(database.db);
  await fill();
  expect(await countDeals()).toBe(1);
});
