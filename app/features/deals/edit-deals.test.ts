import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { insertCategory, insertMerchant } from '#test/factories/insert.ts';
import { createLog } from '#app/platform/log.server.ts';
import { parseTableQuery } from '#app/platform/table-query.ts';
import { useTestDatabase } from '#test/database.ts';
import { readBulkProgress } from './bulk-change-queries.server.ts';
import { changeDeals, undoEdit } from './change-deals.server.ts';
import { type DealEdit, readDealEdit } from './deal-edit.ts';
import { dealsTable } from './deals-table.ts';
import { previewEdit } from './edit-deals.server.ts';
import { makeBulkChanges } from './make-bulk-changes-job.server.ts';

const database = useTestDatabase();
const actor = 'admin-1';
const log = createLog('silent');
const filter = parseTableQuery(dealsTable, new URLSearchParams());

/** Creates deals: the first costs a cent, and each further one 37 cents more. */
async function manyDeals(count: number): Promise<number[]> {
  const { id: category } = await insertCategory(database.db);
  const { id: merchant } = await insertMerchant(database.db);
  const { rows } = await sql<{ id: number }>`
    insert into deals (slug, title, sale_price, deal_url, category_id, merchant_id)
    select 'many-' || n, 'Many ' || n, case n when 1 then 1 else n * 37 end, 'https://shop.example/', ${category}, ${merchant}
      from generate_series(1, ${count}::int) n returning id`.execute(database.db);
  return rows.map(({ id }) => id);
}

const prices = async () =>
  (await database.db.selectFrom('deals').select('sale_price').orderBy('id').execute()).map(
    ({ sale_price }) => sale_price,
  );

async function edit(wanted: DealEdit, selection: { ids: number[] } | { filter: typeof filter }) {
  const { seen, count } = await previewEdit(database.db, selection, wanted);
  const verb = wanted.field === 'sale_price' ? ('price' as const) : ('end' as const);
  const choice = 'ids' in selection ? selection : { ...selection, expectedCount: count };
  return changeDeals(
    database.db,
    { actor, verb, categoryId: null, edit: { ...wanted, seen } },
    choice,
  );
}

const tenLess: DealEdit = { field: 'sale_price', percent: -10 };

test('lowers 300 prices by a tenth, restores exactly the old ones on undo, and logs both', async () => {
  await manyDeals(300);
  const before = await prices();
  const result = await edit(tenLess, { filter });
  if (!result.ok || result.state !== 'queued') throw new Error('300 deals are a job');
  await makeBulkChanges({ db: database.db, log });
  expect(await prices()).toEqual(before.map((cents) => Math.max(1, Math.round((cents * 9) / 10))));
  const change = await readBulkProgress(database.db, result.id);
  expect(change).toMatchObject({ state: 'done', done: 300, failed: 0, canUndo: true });

  const undone = await undoEdit(database.db, { actor, batch: change?.batch ?? '' });
  if (!undone.ok || undone.state !== 'queued') throw new Error('300 deals are a job');
  await makeBulkChanges({ db: database.db, log });
  expect(await prices()).toEqual(before);
  expect(await readBulkProgress(database.db, undone.id)).toMatchObject({
    changed: change?.changed,
    failed: 0,
    canUndo: false,
  });
  expect(await readBulkProgress(database.db, result.id)).toMatchObject({ canUndo: false });
  const log300 = sql<{ price: number[] }>`
    select array_agg(sale_price order by id) as price from price_log group by deal_id
    having count(*) > 1 order by deal_id`;
  const logged = (await log300.execute(database.db)).rows.map(({ price }) => price);
  expect(logged).toHaveLength(change?.changed ?? 0);
  expect(logged.every(([first, , last]) => first === last)).toBe(true);
  const acts = await database.db.selectFrom('audit_log').select('action').orderBy('id').execute();
  expect(new Set(acts.map(({ action }) => action))).toEqual(
    new Set(['deal.price', 'deal.put-back']),
  );
});

test('never lowers a price below a cent, and does not count an unchanged price as a change', async () => {
  const ids = await manyDeals(1);
  expect(await edit({ field: 'sale_price', percent: -99 }, { ids })).toMatchObject({ changed: 0 });
  expect(await prices()).toEqual([1]);
  expect(await edit({ field: 'sale_price', amount: 250 }, { ids })).toMatchObject({ changed: 1 });
  expect(await prices()).toEqual([250]);
});

test('skips a deal that changed after the preview, and reports it', async () => {
  const ids = await manyDeals(3);
  const { seen } = await previewEdit(database.db, { ids }, tenLess);
  const wish = { actor, verb: 'price' as const, categoryId: null, edit: { ...tenLess, seen } };
  await edit({ field: 'sale_price', amount: 500 }, { ids: ids.slice(0, 1) });
  const result = await changeDeals(database.db, wish, { ids: [...ids, 9_999] });
  expect(result).toMatchObject({
    changed: 2,
    failures: [
      { id: 9_999, reason: 'gone' },
      { id: ids[0], reason: 'changed-meanwhile' },
    ],
  });
  expect(await prices()).toEqual([500, 67, 100]);
  // The second of two users who saw the same preview finds everything changed.
  expect(await changeDeals(database.db, wish, { ids: ids.slice(2) })).toMatchObject({ changed: 0 });
  const more = await changeDeals(database.db, wish, { filter, expectedCount: 2 });
  expect(more).toEqual({ ok: false, reason: 'count-changed', seen: 2, count: 3 });
});

test('does not undo deals changed since, and refuses any undo after an hour', async () => {
  const ids = await manyDeals(2);
  const first = await edit({ field: 'sale_price', amount: 700 }, { ids });
  await edit({ field: 'sale_price', amount: 900 }, { ids: ids.slice(1) });
  if (!first.ok || first.state !== 'done') throw new Error('two deals must not become a job');
  const { batch } = first;
  expect(await undoEdit(database.db, { actor, batch })).toMatchObject({
    changed: 1,
    failures: [{ id: ids[1], reason: 'changed-meanwhile' }],
  });
  expect(await prices()).toEqual([1, 900]);
  await sql`alter table audit_log disable trigger user`.execute(database.db);
  await sql`update audit_log set at = now() - interval '61 minutes'`.execute(database.db);
  await sql`alter table audit_log enable trigger user`.execute(database.db);
  expect(await undoEdit(database.db, { actor, batch })).toEqual({ ok: false, reason: 'nothing' });
});

test('sets an expiry and restores the old one exactly', async () => {
  const ids = await manyDeals(2);
  const end = sql`update deals set expires_at = '2031-05-06 07:08:09.123456+00' where id = ${ids[0]}`;
  await end.execute(database.db);
  const ends = async () =>
    (
      await sql<{ at: string }>`select expires_at::text as at from deals order by id`.execute(
        database.db,
      )
    ).rows;
  const before = await ends();
  const result = await edit({ field: 'expires_at', at: '2030-01-02T03:04:00.000Z' }, { ids });
  expect((await database.db.selectFrom('deals').select('expires_at').execute())[1]).toEqual({
    expires_at: new Date('2030-01-02T03:04:00Z'),
  });
  if (!result.ok || result.state !== 'done') throw new Error('two deals must not become a job');
  await undoEdit(database.db, { actor, batch: result.batch });
  expect(await ends()).toEqual(before);
});

test('parses typical input and rejects invalid input with a message', () => {
  const read = (kind: string, typed: string) =>
    readDealEdit(kind, typed, { currency: 'USD', timeZone: 'Europe/Berlin' });
  expect(read('price', '$1,299.50')).toEqual({ edit: { field: 'sale_price', amount: 129_950 } });
  expect(read('percent', '−10 %')).toEqual({ edit: tenLess });
  expect(read('percent', '7,5')).toEqual({ edit: { field: 'sale_price', percent: 7.5 } });
  expect(read('end', '2026-12-24T18:00')).toEqual({
    edit: { field: 'expires_at', at: '2026-12-24T17:00:00.000Z' },
  });
  expect(read('end', '')).toEqual({ edit: { field: 'expires_at', at: null } });
  for (const [kind, typed] of [
    ['price', '0'],
    ['price', 'x'],
    ['percent', '0'],
    ['percent', '-100'],
    ['percent', '1001'],
    ['end', 'soon'],
  ] as const) {
    expect(read(kind, typed)).toHaveProperty('error');
  }
  expect(read('nothing', '1')).toBeNull();
});
