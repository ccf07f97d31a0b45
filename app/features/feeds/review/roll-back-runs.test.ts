import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { matchProducts } from '#app/features/products/match-offers.server.ts';
import { insertDeal, insertMerchant, insertUser } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { importFeed } from '../runs/import-feed.server.ts';
import { askForRollback, rollBackAsked, rollBackImport } from './roll-back-import.server.ts';

const database = useTestDatabase();
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'rollbacks-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));
beforeEach(() => insertMerchant(database.db, { name: 'Shop', slug: 'shop' }));

/** Imports these prices, given by product id, and returns the run. */
async function bring(feed: Record<string, string>): Promise<number> {
  const file = path.join(folder, 'feed.csv');
  const lines = Object.entries(feed).map(
    ([id, price]) => `${id},Kettle ${id},https://shop.example/${id},${price},Home`,
  );
  await writeFile(file, `id,title,link,price,category\n${lines.join('\n')}\n`);
  const { runId } = await importFeed(database.db, { file }, { merchant: 'Shop' });
  return runId ?? 0;
}

const takeBack = async (runId: number) => {
  const result = await rollBackImport(database.db, 'admin', runId);
  if (!result.ok) throw new Error(result.reason);
  const { restored, removed, skipped } = result.counts;
  return { restored, removed, skipped };
};

async function prices(): Promise<Record<string, number>> {
  const deals = await database.db
    .selectFrom('deals')
    .select(['external_id', 'sale_price'])
    .orderBy('external_id')
    .execute();
  return Object.fromEntries(deals.map((deal) => [deal.external_id ?? '', deal.sale_price]));
}

const edit = (id: string, sale_price: number) =>
  database.db
    .updateTable('deals')
    .set({ sale_price, version: sql`version + 1` })
    .where('external_id', '=', id)
    .execute();

const runRow = (id: number) =>
  database.db
    .selectFrom('import_runs')
    .select(['state', 'rolled_back_by', 'rollback'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();

async function notesOf(runId: number): Promise<string[]> {
  const notes = await database.db
    .selectFrom('import_issues')
    .select('reason')
    .where('import_run_id', '=', runId)
    .orderBy('id')
    .execute();
  return notes.map(({ reason }) => reason);
}

const changedBy = (runId: number) => `not rolled back: import ${runId} changed the deal later`;

test('rolls back three runs of a deal, newest first', async () => {
  const runs = [await bring({ a: '100' }), await bring({ a: '60' }), await bring({ a: '50' })];
  const [first = 0, second = 0, third = 0] = runs;
  expect(await takeBack(third)).toEqual({ restored: 1, removed: 0, skipped: 0 });
  expect(await prices()).toEqual({ a: 6_000 });
  expect(await takeBack(second)).toEqual({ restored: 1, removed: 0, skipped: 0 });
  expect(await prices()).toEqual({ a: 10_000 });
  expect(await takeBack(first)).toEqual({ restored: 0, removed: 1, skipped: 0 });
  expect(await prices()).toEqual({});
  for (const run of runs) expect(await runRow(run)).toMatchObject({ state: 'rolled_back' });
});

test('voids the prices of a run, so that the log gives the same evidence as before', async () => {
  await bring({ a: '100', b: '100' });
  const counted = async () => {
    const { rows } = await database.pool.query(`
      select l.sale_price, d.price_since, d.low_30_before, p.lowest_ever, p.at, p.price
        from valid_prices l join deals d on d.id = l.deal_id join price_proofs p on p.deal_id = d.id order by l.id`);
    return rows;
  };
  const before = await counted();
  const older = await bring({ a: '60', b: '100' });
  const between = await counted();
  const newer = await bring({ a: '50', b: '90' });
  expect(await counted()).toHaveLength(5);
  await takeBack(newer);
  expect(await counted()).toEqual(between);
  await takeBack(older);
  expect(await counted()).toEqual(before);
  const voids = database.db
    .selectFrom('price_voids')
    .select(['actor', 'reason'])
    .orderBy('line_id');
  const by = (run: number) => ({ actor: 'admin', reason: `Import ${run} was rolled back` });
  expect(await voids.execute()).toEqual([by(older), by(newer), by(newer)]);
  // Importing the same feed again is allowed.
  await bring({ a: '60', b: '100' });
  expect((await counted()).map((line) => line.sale_price)).toEqual([10_000, 10_000, 6_000]);
});

test('re-arms the alerts fired by the prices of a run', async () => {
  await bring({ a: '100' });
  const user = await insertUser(database.db);
  const { id: deal_id } = await database.db
    .selectFrom('deals')
    .select('id')
    .executeTakeFirstOrThrow();
  const alert = { deal_id, user_id: user.id, kind: 'any_drop' } as const;
  await database.db.insertInto('price_alerts').values(alert).execute();
  await takeBack(await bring({ a: '50' }));
  const state = database.db.selectFrom('price_alerts').select(['is_active', 'base_price']);
  expect(await state.execute()).toEqual([{ is_active: true, base_price: 10_000 }]);
  await bring({ a: '90' });
  const events = database.db.selectFrom('price_alert_events').select('new_price');
  expect(await events.execute()).toEqual([{ new_price: 9_000 }]);
});

test('keeps a later run’s changes when the older run is rolled back first, and completes in a second attempt', async () => {
  await bring({ a: '100', b: '100' });
  const older = await bring({ a: '60', b: '60' });
  const newer = await bring({ a: '50', b: '60' });
  expect(await takeBack(older)).toEqual({ restored: 1, removed: 0, skipped: 1 });
  expect(await prices()).toEqual({ a: 5_000, b: 10_000 });
  expect(await runRow(older)).toMatchObject({ state: 'done', rolled_back_by: null });
  expect(await notesOf(older)).toEqual([expect.stringContaining(changedBy(newer))]);

  await takeBack(newer);
  expect(await prices()).toEqual({ a: 6_000, b: 10_000 });
  expect(await takeBack(older)).toEqual({ restored: 2, removed: 0, skipped: 0 });
  expect(await prices()).toEqual({ a: 10_000, b: 10_000 });
  expect(await runRow(older)).toMatchObject({ state: 'rolled_back', rolled_back_by: 'admin' });
  expect(await notesOf(older)).toEqual([]);
});

test('skips and reports changes that staff made between two runs', async () => {
  await bring({ a: '100', b: '100' });
  const older = await bring({ a: '60', b: '60' });
  await edit('a', 7_000);
  const newer = await bring({ a: '50', b: '50' });
  expect(await takeBack(newer)).toEqual({ restored: 2, removed: 0, skipped: 0 });
  expect(await prices()).toEqual({ a: 7_000, b: 6_000 });
  expect(await takeBack(older)).toEqual({ restored: 1, removed: 0, skipped: 1 });
  expect(await prices()).toEqual({ a: 7_000, b: 10_000 });
  expect(await notesOf(older)).toEqual(['not rolled back: the deal was changed after the import']);
  // After another failed attempt, the deal is still reported only once.
  expect(await takeBack(older)).toEqual({ restored: 1, removed: 0, skipped: 1 });
  expect(await notesOf(older)).toHaveLength(1);
  expect((await runRow(older)).state).toBe('done');
});

test('keeps changes that staff made after a rollback', async () => {
  await bring({ a: '100' });
  const older = await bring({ a: '60' });
  await takeBack(await bring({ a: '50' }));
  await edit('a', 5_500);
  expect(await takeBack(older)).toEqual({ restored: 0, removed: 0, skipped: 1 });
  expect(await prices()).toEqual({ a: 5_500 });
});

test('rolls back runs that are older than the column version_before', async () => {
  await bring({ a: '100' });
  const older = await bring({ a: '60' });
  const newer = await bring({ a: '50' });
  await database.db.updateTable('import_changes').set({ version_before: null }).execute();
  await takeBack(newer);
  await takeBack(older);
  expect(await prices()).toEqual({ a: 10_000 });
});

test('ends the job of a large rollback even if deals are skipped', async () => {
  const run = await bring({ a: '100', b: '100', c: '100' });
  await edit('b', 9_000);
  expect(await askForRollback(database.db, 'u1', run, 2)).toEqual({ ok: true, isQueued: true });
  await rollBackAsked(database.db);
  expect(await prices()).toEqual({ b: 9_000 });
  expect(await runRow(run)).toMatchObject({
    state: 'done',
    rolled_back_by: null,
    rollback: { removed: 2, skipped: 1 },
  });
});

test('undoes the product links of deals that the run added or changed', async () => {
  const { db } = database;
  const gtins = { new: '4006381333931', changed: '4006381333948' };
  await db.updateTable('merchants').set({ matches_freely: true }).execute();
  const other = await insertMerchant(db, { matches_freely: true });
  const place = { merchant_id: other.id, title: 'Kettle', sale_price: 10_000 };
  for (const gtin of Object.values(gtins)) await insertDeal(db, { ...place, gtin });
  const deliver = async (lines: string[]) => {
    const file = path.join(folder, 'gtins.csv');
    await writeFile(file, `id,title,link,price,category,gtin\n${lines.join('\n')}\n`);
    const { runId } = await importFeed(db, { file }, { merchant: 'Shop' });
    await matchProducts(db);
    return runId ?? 0;
  };
  const line = (id: string, gtin: string) =>
    `${id},Kettle,https://shop.example/${id},100,Home,${gtin}`;
  const linked = async () => {
    const rows = await db
      .selectFrom('deals')
      .select('id')
      .where('product_id', 'is not', null)
      .execute();
    return rows.length;
  };
  await deliver([line('a', '')]);
  expect(await linked()).toBe(0);
  const run = await deliver([line('a', gtins.changed), line('b', gtins.new)]);
  expect(await linked()).toBe(4);
  await takeBack(run);
  await matchProducts(db);
  expect(await linked()).toBe(0);
});
