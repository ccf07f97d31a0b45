import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { deleteDeals, restoreDeals } from '#app/features/deals/delete-deals.server.ts';
import { readPriceHistory } from '#app/features/prices/price-history-queries.server.ts';
import { insertDeal } from '#test/factories/insert.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { restoreBackup, writeBackup } from './backups/backup.ts';
import { openFolderMedia } from './media-store.ts';
import { migrate } from './migrate.ts';

// Tests the effect of docs/price-log-in-years.sql on the price log. No other test runs that script.

const script = new URL('../docs/price-log-in-years.sql', import.meta.url);
const day = 86_400_000;
let database: TestDatabase;
let deal: { id: number };

beforeEach(async () => {
  database = await createTestDatabase();
  deal = await insertDeal(database.db, { sale_price: 5_000 });
  await price(4_000);
});
afterEach(() => database.close());

const price = (cents: number) =>
  database.db.updateTable('deals').set({ sale_price: cents }).where('id', '=', deal.id).execute();

async function partition(steps = 5): Promise<void> {
  const all = (await readFile(script, 'utf8')).split(/^-- Step /m).slice(1);
  for (const step of all.slice(0, steps)) await database.pool.query(`-- ${step}`);
}

const tables = () =>
  database.pool
    .query<{ name: string; lines: number }>(
      'select tableoid::regclass::text as name, count(*) as lines from price_log group by 1 order by 1',
    )
    .then(({ rows }) => rows.map(({ name, lines }) => `${name} ${lines}`));

async function proofs() {
  const { rows } = await sql`select * from price_proofs order by deal_id`.execute(database.db);
  return rows;
}

it('keeps each log line with its id, and stores new lines in their partition', async () => {
  const before = await readPriceHistory(database.db, deal.id, null);
  await partition();
  expect(await readPriceHistory(database.db, deal.id, null)).toEqual(before);
  await price(3_000);
  expect(await tables()).toEqual(['price_log_so_far 3']);
  const { rows } = await database.pool.query('select id from price_log order by at, id');
  expect(rows.map(({ id }) => Number(id))).toEqual([1, 2, 3]);

  const later = new Date(Date.now() + 800 * day).toISOString();
  await sql`insert into price_log (deal_id, at, sale_price, availability, source)
    values (${deal.id}, ${later}, 2000, 'in_stock', 'feed')`.execute(database.db);
  expect(await tables()).toEqual([
    expect.stringMatching(/^price_log_(?:20\d\d|later) 1$/),
    'price_log_so_far 3',
  ]);
});

it('keeps price proofs consistent with the partitioned log', async () => {
  await partition();
  for (const cents of [3_000, 6_000, 3_500]) await price(cents);
  const kept = await proofs();
  expect(kept).toHaveLength(1);
  await sql`select rebuild_price_proofs(${[deal.id]}::bigint[])`.execute(database.db);
  expect(await proofs()).toEqual(kept);
});

it('loses no price that is written while the log is being partitioned', async () => {
  const stop = new AbortController();
  let written = 2; // lines written by beforeEach
  const writing = (async () => {
    for (let cents = 10_000; !stop.signal.aborted; cents += 1, written += 1) await price(cents);
  })();
  await partition();
  const atChange = written;
  await vi.waitUntil(() => written > atChange + 5, { timeout: 30_000 });
  stop.abort();
  await writing;
  expect(await tables()).toEqual([`price_log_so_far ${written}`]);
});

it('resumes an interrupted partitioning, and refuses to repeat a finished one', async () => {
  await partition(3);
  await partition();
  await expect(partition()).rejects.toThrow('partitioned table "price_log"');
  expect(await tables()).toEqual(['price_log_so_far 2']);
});

it('rejects changes to a line, but deletes and restores lines with their deal', async () => {
  await partition();
  const { pool } = database;
  await expect(pool.query('update price_log set sale_price = 1')).rejects.toThrow('append-only');
  await expect(pool.query('delete from price_log')).rejects.toThrow('append-only');
  const before = await readPriceHistory(database.db, deal.id, null);
  const [ids, batch] = [[deal.id], randomUUID()];
  const { db } = database;
  await db.transaction().execute((tx) => deleteDeals(tx, { ids, batch, actor: 'a' }));
  expect(await tables()).toEqual([]);
  await db.transaction().execute((tx) => restoreDeals(tx, { ids, batch }));
  expect(await readPriceHistory(database.db, deal.id, null)).toEqual(before);
});

it('backs up a partitioned log, and restores it into an unpartitioned table', async () => {
  await partition();
  await price(3_000);
  const before = await readPriceHistory(database.db, deal.id, null);
  const folder = await mkdtemp(path.join(tmpdir(), 'deal-hub-log-'));
  const media = openFolderMedia(path.join(folder, 'media'));
  const place = { file: path.join(folder, 'shop.backup'), media };
  const other = await createTestDatabase();
  try {
    await writeBackup(database.pool, { ...place, now: new Date() });
    expect(await restoreBackup(other.pool, { ...place, replace: false })).toMatchObject({
      ok: true,
    });
    await migrate(other.db); // Migrates as `deals restore` does.
    expect(await readPriceHistory(other.db, deal.id, null)).toEqual(before);
    // The next line gets a new id.
    await other.db.updateTable('deals').set({ sale_price: 2_000 }).execute();
    expect(await readPriceHistory(other.db, deal.id, null)).toHaveLength(before.length + 1);
  } finally {
    await other.close();
    await rm(folder, { recursive: true, force: true });
  }
});
