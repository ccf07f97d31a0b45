import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { plantDeal } from '#test/factories/plant-prices.ts';
import { useTestDatabase } from '#test/database.ts';
import { movePrices, startPriceMove, undoPriceMove } from './run-price-move.server.ts';
import { stagePrices } from './stage-prices.server.ts';

const database = useTestDatabase();
let line: pg.Client;
let heard: string[] = [];

beforeAll(async () => {
  line = new pg.Client({ connectionString: database.url });
  line.on('notification', ({ payload = '' }) => void heard.push(payload));
  await line.connect();
  await line.query('listen pages');
});
afterAll(() => line.end());

/** Resolves when all earlier announcements have arrived. */
async function hear(mark: string): Promise<void> {
  await sql`select pg_notify('pages', ${mark})`.execute(database.db);
  await expect.poll(() => heard.at(-1), { timeout: 30_000 }).toBe(mark);
}

/** Returns the announcements that a change causes. */
async function newsOf(change: () => Promise<unknown>): Promise<string[]> {
  await hear('from here');
  heard = [];
  await change();
  await hear('until here');
  return heard.slice(0, -1);
}

async function* fileOf(deal: number) {
  yield Buffer.from(`id,date,price\n${deal},2025-01-02,100\n`);
}

test('invalidates the page of a deal when its prices are imported and when the import is undone', async () => {
  const deal = await plantDeal(database.db, [{ daysAgo: 30, price: 10_000 }]);
  const limits = { rawBytes: 1e6, unpackedBytes: 1e6 };
  const id = await stagePrices(database.db, fileOf(deal), {
    name: 'prices.csv',
    actor: 'admin',
    limits,
    choices: {},
  });
  const choices = { source: 'Keepa', day_order: null, actor: 'admin' };
  expect(
    await newsOf(async () => {
      await startPriceMove(database.db, id, choices);
      await movePrices(database.db);
    }),
  ).toEqual([`old deal:${deal}`]);
  expect(
    await newsOf(async () => {
      await undoPriceMove(database.db, id, 'admin');
      await movePrices(database.db);
    }),
  ).toEqual([`old deal:${deal}`]);
});
