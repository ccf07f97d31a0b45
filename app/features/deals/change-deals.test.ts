import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { insertCategory, insertDeal, insertMerchant, insertUser } from '#test/factories/insert.ts';
import { parseTableQuery } from '#app/platform/table-query.ts';
import { createLog } from '#app/platform/log.server.ts';
import { forgetOldRows } from '#database/forget-old-rows.ts';
import { tableRules } from '#database/table-registry.ts';
import type { TableRules } from '#database/table-rules.ts';
import { useTestDatabase } from '#test/database.ts';
import { readBulkProgress, resumeBulkChange } from './bulk-change-queries.server.ts';
import { changeDeals, mostInRequest, undoDeletion } from './change-deals.server.ts';
import { dealsTable } from './deals-table.ts';
import { makeBulkChanges } from './make-bulk-changes-job.server.ts';

const database = useTestDatabase();
const actor = 'admin-1';
const asked = (query = '') => parseTableQuery(dealsTable, new URLSearchParams(query));
const log = createLog('silent');
const wish = { actor, categoryId: null };

const auditLog = () =>
  database.db
    .selectFrom('audit_log')
    .select(['actor', 'action', 'entity_id', 'before', 'after'])
    .orderBy('id')
    .execute();

async function manyDeals(count: number): Promise<number[]> {
  const category_id = (await insertCategory(database.db)).id;
  const merchant_id = (await insertMerchant(database.db)).id;
  const { rows } = await sql<{ id: number }>`
    insert into deals (slug, title, sale_price, deal_url, category_id, merchant_id)
    select 'many-' || n, 'Many ' || n, 100, 'https://shop.example/', ${category_id}, ${merchant_id}
      from generate_series(1, ${count}::int) n returning id`.execute(database.db);
  return rows.map((row) => row.id);
}

/** Returns all database content of deals, except for the time of the last change. */
async function everything(): Promise<unknown> {
  const tables =
    'deals price_log price_proofs clicks user_favorites price_alerts price_alert_events slug_redirects categories merchants site_counters ' +
    'deal_price_checks import_changes import_endings product_links duplicate_dismissals push_outbox webhook_deliveries mail_outbox ' +
    'favorite_lists favorite_list_items removed_favorites reduction_checks deal_forecasts forecasts deal_reports watch_requests watched_search_finds deal_texts moved_prices';
  return Promise.all(
    tables.split(' ').map(async (table) => {
      const { rows } = await sql`select * from ${sql.table(table)} t order by t::text`.execute(
        database.db,
      );
      return { table, rows };
    }),
  );
}

describe('deleting deals', () => {
  /** Adds a browser and a webhook that are notified of everything. */
  async function listen(userId: string): Promise<void> {
    await sql`insert into push_subscriptions (user_id, endpoint, p256dh, auth)
      values (${userId}, 'https://push.example/1', 'x', 'y')`.execute(database.db);
    await sql`insert into webhook_endpoints (url, events, secret)
      values ('https://hook.example/', '{deal.published,deal.price_changed,alert.fired}', '')`.execute(
      database.db,
    );
  }

  async function hangOn(id: number): Promise<void> {
    const other = await insertDeal(database.db);
    await sql`
      with run as (insert into import_runs (source_name, format) values ('feed', 'csv') returning id),
           changes as (insert into import_changes (import_run_id, deal_id, kind, version_after) select id, ${id}, 'changed', 2 from run),
           endings as (insert into import_endings (import_run_id, deal_id) select id, ${id} from run),
           checks as (insert into deal_price_checks (deal_id, checked_at) values (${id}, '2026-01-01')),
           reductions as (
             insert into reduction_checks (deal_id, began_at, merchant_id, currency, sale_price, struck_price, announced, is_standing, logged_days, verdict)
               select id, '2026-01-01', merchant_id, currency, 2000, 4000, 50, false, 40, 'matches' from deals where id = ${id}),
           shown as (insert into deal_forecasts values (${id}, '2026-01-01', 4000, .1, .05, .2, 400, 90)),
           kept as (insert into forecasts values (${id}, '2026-01-01', 4000, .1, '2026-02-01', true)),
           move as (insert into price_moves (file_name, created_by) values ('prices.csv', 'cli') returning id),
           moved as (
             insert into moved_prices (deal_id, day, sale_price, currency, source, move_id)
               select ${id}, '2025-01-01', 3000, 'USD', 'Keepa', id from move),
           product as (insert into products (slug, title) values ('pen', 'Pen') returning id),
           links as (insert into product_links (deal_id, to_product) select ${id}, id from product),
           reports as (insert into deal_reports (deal_id, about, visitor) values (${id}, 'over', 'x')),
           requests as (insert into watch_requests (email, deal_id, kind) values ('ada@mail.example', ${id}, 'any_drop')),
           watcher as (insert into watchers (email) values ('eve@mail.example') returning id),
           search as (
             insert into watched_searches (watcher_id, address, name, cadence) select id, '/deals', 'All deals', 'daily' from watcher
               returning id),
           finds as (insert into watched_search_finds (search_id, deal_id) select id, ${id} from search)
      insert into duplicate_dismissals (deal_id, other_id) values (${id}, ${other.id})`.execute(
      database.db,
    );
  }

  async function aDealWithEverything(): Promise<number> {
    const { db } = database;
    const merchant_id = (await insertMerchant(db)).id;
    const deal = await insertDeal(db, {
      merchant_id,
      slug: 'first-name',
      external_id: 'x1',
      sale_price: 5_000,
    });
    const user = await insertUser(db);
    await listen(user.id);
    await db
      .updateTable('deals')
      .set({ slug: 'second-name', sale_price: 4_000, version: 2 })
      .where('id', '=', deal.id)
      .execute();
    await db
      .insertInto('clicks')
      .values({ deal_id: deal.id, day: '2026-01-02', count: 7 })
      .execute();
    await db.insertInto('user_favorites').values({ user_id: user.id, deal_id: deal.id }).execute();
    await sql`
      with list as (insert into favorite_lists (user_id, name) values (${user.id}, 'Kitchen') returning id)
      insert into favorite_list_items (list_id, user_id, deal_id) select id, ${user.id}, ${deal.id} from list`.execute(
      db,
    );
    await sql`
      insert into removed_favorites (user_id, deal_id, favorite, items) values (${user.id}, ${deal.id}, '{}', '[]')`.execute(
      db,
    );
    await db
      .insertInto('price_alerts')
      .values({ user_id: user.id, deal_id: deal.id, target_price: 3_000 })
      .execute();
    // This price fires the alert.
    await db.updateTable('deals').set({ sale_price: 2_900 }).where('id', '=', deal.id).execute();
    await hangOn(deal.id);
    await db.insertInto('alert_checks').values({ deal_id: deal.id }).execute();
    await sql`
      insert into price_voids (line_id, deal_id, actor, reason)
      select min(id), deal_id, 'staff', 'a slip' from price_log where deal_id = ${deal.id} group by deal_id`.execute(
      db,
    );
    return deal.id;
  }

  // Proves Design: Undo of a deletion (delete-deals.server.ts)
  test('undoes a deletion with log, favorites, alerts, clicks and old URLs, without notifying anyone again', async () => {
    const id = await aDealWithEverything();
    const before = await everything();
    const deletion = await changeDeals(database.db, { ...wish, verb: 'delete' }, { ids: [id] });
    if (!deletion.ok || deletion.state !== 'done') throw new Error('not deleted');
    expect(
      await database.db.selectFrom('deals').select('id').where('id', '=', id).execute(),
    ).toEqual([]);
    expect(await undoDeletion(database.db, { actor, batch: deletion.batch })).toMatchObject({
      ok: true,
      changed: 1,
      failures: [],
    });
    expect(await everything()).toEqual(before);
    expect((await auditLog()).map((entry) => [entry.action, entry.entity_id])).toEqual([
      ['deal.delete', String(id)],
      ['deal.restore', String(id)],
    ]);
    expect((await auditLog())[0]?.before).toMatchObject({ titles: expect.anything() });
  });

  test('keeps every table that refers to a deal when the deal is deleted', async () => {
    const id = await aDealWithEverything();
    await changeDeals(database.db, { ...wish, verb: 'delete' }, { ids: [id] });
    const { snapshot } = await database.db
      .selectFrom('deleted_deals')
      .select('snapshot')
      .executeTakeFirstOrThrow();
    const { rows } = await sql<{ name: string }>`
      with recursive hanging (oid) as (
        select 'deals'::regclass::oid
        union select c.conrelid from pg_constraint c join hanging h on c.confrelid = h.oid where c.contype = 'f'
      ) select oid::regclass::text as name from hanging`.execute(database.db);
    const rules = new Map<string, TableRules>(Object.entries(tableRules));
    const kept = rows
      .map((row) => row.name)
      .filter((name) => rules.get(name)?.deal !== 'made again');
    expect(Object.keys(snapshot).toSorted()).toEqual([...kept, 'slug_redirects'].toSorted());
    expect(Object.values(snapshot).every((one) => one.length > 0)).toBe(true);
  });

  test('restores a deal without users who left, and under another slug if its own is taken', async () => {
    const id = await aDealWithEverything();
    const deletion = await changeDeals(database.db, { ...wish, verb: 'delete' }, { ids: [id] });
    if (!deletion.ok || deletion.state !== 'done') throw new Error('not deleted');
    await database.db.deleteFrom('users').execute();
    await insertDeal(database.db, { slug: 'second-name' });
    expect(await undoDeletion(database.db, { actor, batch: deletion.batch })).toMatchObject({
      changed: 1,
    });
    const deal = await database.db
      .selectFrom('deals')
      .select('slug')
      .where('id', '=', id)
      .executeTakeFirst();
    expect(deal?.slug).toBe('second-name-2');
    expect(await database.db.selectFrom('price_alerts').select('id').execute()).toEqual([]);
  });

  test('restores a deal even if its feed source was deleted', async () => {
    const { db } = database;
    const { id, merchant_id } = await insertDeal(db);
    await sql`
      with source as (insert into feed_sources (merchant_id, name, location) values (${merchant_id}, 'feed', 'x') returning id)
      update deals set feed_source_id = source.id from source`.execute(db);
    const deletion = await changeDeals(db, { ...wish, verb: 'delete' }, { ids: [id] });
    if (!deletion.ok || deletion.state !== 'done') throw new Error('not deleted');
    await db.deleteFrom('feed_sources').execute();
    const undone = await undoDeletion(db, { actor, batch: deletion.batch });
    expect(undone).toMatchObject({ changed: 1, failures: [] });
  });

  test('explains for each deal why it cannot be restored', async () => {
    const { db } = database;
    const merchant = await insertMerchant(db);
    const imported = await insertDeal(db, { merchant_id: merchant.id, external_id: 'x1' });
    const orphan = await insertDeal(db);
    const fine = await insertDeal(db);
    const ids = [imported.id, orphan.id, fine.id];
    const deletion = await changeDeals(db, { ...wish, verb: 'delete' }, { ids });
    if (!deletion.ok || deletion.state !== 'done') throw new Error('not deleted');
    await insertDeal(db, { merchant_id: merchant.id, external_id: 'x1' });
    await db.deleteFrom('categories').where('id', '=', orphan.category_id).execute();
    const undone = await undoDeletion(db, { actor, batch: deletion.batch });
    expect(undone).toMatchObject({
      changed: 1,
      failures: [
        { id: imported.id, reason: 'imported-again' },
        { id: orphan.id, reason: 'no-such-category' },
      ],
    });
  });

  test('does not undo a deletion after an hour', async () => {
    const deal = await insertDeal(database.db);
    const deletion = await changeDeals(
      database.db,
      { ...wish, verb: 'delete' },
      { ids: [deal.id] },
    );
    if (!deletion.ok || deletion.state !== 'done') throw new Error('not deleted');
    await forgetOldRows(database.db, 'empty-trash');
    expect(await database.db.selectFrom('deleted_deals').select('id').execute()).toHaveLength(1);
    await database.db
      .updateTable('deleted_deals')
      .set({ deleted_at: new Date(Date.now() - 61 * 60_000) })
      .execute();
    await forgetOldRows(database.db, 'empty-trash');
    expect(await undoDeletion(database.db, { actor, batch: deletion.batch })).toEqual({
      ok: false,
      reason: 'nothing',
    });
  });
});

describe('changing many deals', () => {
  let deals: number[];
  beforeEach(async () => {
    deals = await manyDeals(3);
  });

  test.each([
    ['deactivate', 'is_active', false],
    ['feature', 'is_featured', true],
  ] as const)(
    'applies %s to the deals that differ, raises their version, and lists missing ones',
    async (verb, column, value) => {
      await database.db
        .updateTable('deals')
        .set({ [column]: value })
        .where('id', '=', deals[0] ?? 0)
        .execute();
      const result = await changeDeals(database.db, { ...wish, verb }, { ids: [...deals, 999] });
      expect(result).toMatchObject({
        ok: true,
        state: 'done',
        asked: 4,
        changed: 2,
        failures: [{ id: 999, reason: 'gone' }],
      });
      const rows = await database.db
        .selectFrom('deals')
        .select([column, 'version'])
        .orderBy('id')
        .execute();
      expect(rows.map((row) => [row[column as keyof typeof row], row.version])).toEqual([
        [value, 1],
        [value, 2],
        [value, 2],
      ]);
      expect(await auditLog()).toMatchObject([
        { actor, action: `deal.${verb}`, after: { ids: deals.slice(1) } },
      ]);
    },
  );

  test('undoes a bulk change with its reverse, and writes nothing where nothing changes', async () => {
    await changeDeals(database.db, { ...wish, verb: 'activate' }, { ids: deals });
    await changeDeals(database.db, { ...wish, verb: 'unfeature' }, { ids: deals });
    expect(await auditLog()).toEqual([]);
  });

  test('moves deals to an existing category', async () => {
    const { id: categoryId } = await insertCategory(database.db);
    const change = { actor, verb: 'category', categoryId } as const;
    expect(await changeDeals(database.db, { ...change, categoryId: 999 }, { ids: deals })).toEqual({
      ok: false,
      reason: 'no-such-category',
    });
    expect(await changeDeals(database.db, change, { ids: deals })).toMatchObject({ changed: 3 });
    const category = await database.db
      .selectFrom('categories')
      .select('deal_count')
      .where('id', '=', categoryId)
      .executeTakeFirst();
    expect(category?.deal_count).toBe(3);
  });

  // Proves Design: Bulk: over ticked rows and all that match
  test('applies a bulk change to all that match a filter now, up to the number shown', async () => {
    const filter = asked('q=many 2');
    const change = { ...wish, verb: 'deactivate' } as const;
    expect(await changeDeals(database.db, change, { filter, expectedCount: 3 })).toEqual({
      ok: false,
      reason: 'count-changed',
      seen: 3,
      count: 1,
    });
    expect(await changeDeals(database.db, change, { filter, expectedCount: 1 })).toMatchObject({
      changed: 1,
    });
  });
});

describe('a change of more than 200 deals', () => {
  const count = mostInRequest * 2 + 10;
  const queued = async (verb: 'deactivate' | 'delete') => {
    await manyDeals(count);
    const result = await changeDeals(
      database.db,
      { ...wish, verb },
      { filter: asked(), expectedCount: count },
    );
    if (!result.ok || result.state !== 'queued') throw new Error('not queued');
    return result.id;
  };

  // Proves Design: Bulk: a job above 200 rows (make-bulk-changes-job.server.ts)
  test('runs a change of more than 200 deals as a job, and shows its progress', async () => {
    const id = await queued('deactivate');
    expect(await readBulkProgress(database.db, id)).toMatchObject({
      state: 'queued',
      total: count,
      done: 0,
    });
    await database.db.deleteFrom('deals').where('title', '=', 'Many 7').execute();
    await makeBulkChanges({ db: database.db, log });
    expect(await readBulkProgress(database.db, id)).toMatchObject({
      state: 'done',
      done: count,
      changed: count - 1,
      failed: 1,
      failures: [{ reason: 'gone' }],
      canUndo: false,
    });
  });

  test('resumes a bulk change in another process without repeating anything', async () => {
    const id = await queued('deactivate');
    const stopping = new AbortController();
    stopping.abort();
    await makeBulkChanges({ db: database.db, log }, stopping.signal);
    expect(await readBulkProgress(database.db, id)).toMatchObject({ done: 0 });
    await Promise.all([1, 2].map(() => makeBulkChanges({ db: database.db, log })));
    // One process may have skipped the row while another one had locked it.
    await makeBulkChanges({ db: database.db, log });
    expect(await readBulkProgress(database.db, id)).toMatchObject({
      state: 'done',
      done: count,
      changed: count,
    });
    expect(await auditLog()).toHaveLength(3);
  });

  test('stops a bulk change after a failure, keeps its changes so far, and can resume it', async () => {
    const id = await queued('deactivate');
    await sql`create function refuse() returns trigger language plpgsql as $$ begin
      if new.title = 'Many 300' then raise 'not this one'; end if; return new; end $$`.execute(
      database.db,
    );
    await sql`create trigger refuse before update on deals for each row execute function refuse()`.execute(
      database.db,
    );
    try {
      await makeBulkChanges({ db: database.db, log });
      expect(await readBulkProgress(database.db, id)).toMatchObject({
        state: 'failed',
        done: mostInRequest,
      });
    } finally {
      await sql`drop function refuse() cascade`.execute(database.db);
    }
    expect(await resumeBulkChange(database.db, id)).toBe(true);
    await makeBulkChanges({ db: database.db, log });
    expect(await readBulkProgress(database.db, id)).toMatchObject({
      state: 'done',
      changed: count,
    });
    expect(await resumeBulkChange(database.db, id)).toBe(false);
  });

  test('undoes a bulk deletion in a job', async () => {
    const id = await queued('delete');
    await makeBulkChanges({ db: database.db, log });
    const progress = await readBulkProgress(database.db, id);
    expect(progress).toMatchObject({ changed: count, canUndo: true });
    const undo = await undoDeletion(database.db, { actor, batch: progress?.batch ?? randomUUID() });
    if (!undo.ok || undo.state !== 'queued') throw new Error('not queued');
    await makeBulkChanges({ db: database.db, log });
    expect(await readBulkProgress(database.db, undo.id)).toMatchObject({
      state: 'done',
      changed: count,
    });
    expect(await database.db.selectFrom('deals').select('id').execute()).toHaveLength(count);
  });
});
