import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { previewEdit } from '#app/features/deals/edit-deals.server.ts';
import { changeDeals, undoEdit } from '#app/features/deals/change-deals.server.ts';
import { deleteDeals, restoreDeals } from '#app/features/deals/delete-deals.server.ts';
import { ask } from '#database/ask.ts';
import { insertDeal, insertUser } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { useMailWorkers } from '#test/mail-worker-processes.ts';
import type { AlertKind } from './alert-kind.ts';
import { checkAlerts } from './check-alerts-job.server.ts';

const database = useTestDatabase();
const processes = useMailWorkers(database, 'check-alerts-until-killed.ts');
let dealId = 0;

beforeEach(async () => {
  ({ id: dealId } = await insertDeal(database.db, {
    sale_price: 10_000,
    original_price: null,
    price_source: 'feed',
  }));
});

/** Creates alerts on any drop, each for a different user. */
async function watch(count: number, repeats = false): Promise<void> {
  await sql`
    with made as (
      insert into users (id, email, email_verified)
        select 'watcher-' || n, 'watcher-' || n || '@mail.example', true from generate_series(1, ${count}::int) n
      on conflict do nothing)
    select`.execute(database.db);
  await sql`
    insert into price_alerts (user_id, deal_id, kind, repeats)
      select 'watcher-' || n, ${dealId}, 'any_drop', ${repeats} from generate_series(1, ${count}::int) n
    on conflict do nothing`.execute(database.db);
}

/**
 * Changes the price of a deal so that its alerts are queued instead of evaluated in the statement.
 */
const price = (sale_price: number) =>
  database.db.transaction().execute(async (tx) => {
    await sql`select set_config('app.alerts_at_once', '0', true)`.execute(tx);
    await tx.updateTable('deals').set({ sale_price }).where('id', '=', dealId).execute();
  });

const check = (lot = 2) => checkAlerts(database.db, undefined, lot);
const alerts = () => database.db.selectFrom('price_alerts').selectAll().orderBy('id').execute();
const events = () =>
  database.db.selectFrom('price_alert_events').selectAll().orderBy('id').execute();
const mails = () =>
  database.db
    .selectFrom('mail_outbox')
    .selectAll()
    .where('kind', '=', 'price-alert')
    .orderBy('id')
    .execute();
const waiting = () => database.db.selectFrom('alert_checks').select('id').execute();

async function arm(kind: AlertKind, more: { repeats?: boolean; target_price?: number } = {}) {
  const user = await insertUser(database.db);
  const alert = { user_id: user.id, deal_id: dealId, kind, ...more };
  return database.db
    .insertInto('price_alerts')
    .values(alert)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Returns how many rows a price change writes into these tables. */
async function writtenBy(change: string) {
  const tables = [
    'price_alerts',
    'price_alert_events',
    'mail_outbox',
    'alert_mail_days',
    'alert_checks',
  ];
  return database.db.transaction().execute(async (tx) => {
    const count = () =>
      ask(tx).rows<{ relname: string; rows: number }>`
        select relname, n_tup_ins + n_tup_upd + n_tup_del as rows
          from pg_stat_xact_user_tables where relname = any(${tables}::text[]) order by relname`;
    const before = await count();
    await sql.raw(change).execute(tx);
    const after = await count();
    return after.map(({ relname, rows }, n) => [relname, rows - (before[n]?.rows ?? 0)]);
  });
}

test('writes the same number of rows no matter how many alerts a deal has', async () => {
  await watch(501);
  const fall = `update deals set sale_price = sale_price - 1 where id = ${dealId}`;
  const first = await writtenBy(fall);
  expect(first).toEqual([
    ['alert_checks', 1],
    ['alert_mail_days', 0],
    ['mail_outbox', 0],
    ['price_alert_events', 0],
    ['price_alerts', 0],
  ]);
  await watch(1_500);
  expect(await writtenBy(fall)).toEqual(first);
  expect(await events()).toEqual([]);
  await check(2_000);
  // Owners who created alerts between the two changes are notified of the second.
  expect(await mails()).toHaveLength(1_500);
  expect(await waiting()).toEqual([]);
});

test('evaluates some alerts immediately when a statement changes many deals, and queues the rest', async () => {
  const { merchant_id, category_id } = await insertDeal(database.db);
  for (let n = 0; n < 12; n += 1) {
    ({ id: dealId } = await insertDeal(database.db, {
      sale_price: 10_000,
      original_price: null,
      merchant_id,
      category_id,
    }));
    await watch(450);
  }
  await sql`update deals set sale_price = 9000, price_source = 'feed' where sale_price = 10000`.execute(
    database.db,
  );
  expect(await events()).toHaveLength(11 * 450);
  await check(2_000);
  expect(await events()).toHaveLength(12 * 450);
});

describe('a queued change', () => {
  test('evaluates queued changes in order, each with its own price', async () => {
    await arm('target', { target_price: 9_000 });
    await arm('any_drop', { repeats: true });
    await price(8_000);
    await price(12_000);
    await price(11_000);
    await check();
    expect((await events()).map(({ old_price, new_price }) => [old_price, new_price])).toEqual([
      [10_000, 8_000],
      [10_000, 8_000],
      [12_000, 11_000],
    ]);
  });

  test('queues a later change of a deal that has a queued change', async () => {
    await arm('target', { target_price: 9_000 });
    await price(8_000);
    await sql`update deals set sale_price = 7000 where id = ${dealId}`.execute(database.db);
    expect(await events()).toEqual([]);
    await check();
    expect((await events()).map(({ new_price }) => new_price)).toEqual([8_000]);
  });

  test('does not fire an alert that was created, changed or stopped after a queued change', async () => {
    const changed = await arm('any_drop');
    const stopped = await arm('any_drop');
    await price(8_000);
    await arm('any_drop');
    const set = (id: number, what: { repeats: true } | { is_active: false }) =>
      database.db.updateTable('price_alerts').set(what).where('id', '=', id).execute();
    await set(changed.id, { repeats: true });
    await set(stopped.id, { is_active: false });
    await check();
    expect(await events()).toEqual([]);
    await price(7_000);
    await check();
    expect((await events()).map(({ old_price }) => old_price)).toEqual([8_000, 8_000]);
  });

  test('emails all of an owner’s alerts for a deal together, across batches', async () => {
    const { user_id } = await arm('any_drop');
    await watch(5);
    await database.db
      .insertInto('price_alerts')
      .values({ user_id, deal_id: dealId, kind: 'target', target_price: 9_000 })
      .execute();
    await price(8_000);
    await ask(database.db).value`select check_alerts(1)`;
    expect(await mails()).toHaveLength(1);
    expect(new Set((await events()).map(({ mail_key }) => mail_key)).size).toBe(1);
    expect(await events()).toHaveLength(2);
    await check();
    expect(await events()).toHaveLength(7);
    expect(await mails()).toHaveLength(6);
  });

  test('restores a queued change with a deal that was deleted in the meantime', async () => {
    await arm('any_drop');
    await price(8_000);
    const batch = '00000000-0000-4000-8000-000000000000';
    await database.db.transaction().execute(async (tx) => {
      await deleteDeals(tx, { ids: [dealId], batch, actor: 'admin-1' });
    });
    await check();
    await database.db.transaction().execute(async (tx) => {
      await restoreDeals(tx, { ids: [dealId], batch });
    });
    await check();
    expect(await mails()).toHaveLength(1);
  });
});

describe('a mistake by staff in a deal with many alerts', () => {
  const reprice = async () => {
    const edit = { field: 'sale_price', percent: -10, seen: 'infinity' } as const;
    const change = { actor: 'admin-1', verb: 'price', categoryId: null, edit } as const;
    const result = await changeDeals(database.db, change, { ids: [dealId] });
    if (!result.ok || result.state !== 'done') throw new Error('The price was not changed.');
    return () => undoEdit(database.db, { actor: 'admin-1', batch: result.batch });
  };
  const isAsBefore = async () => {
    const states = (await alerts()).map((alert) => [
      alert.is_active,
      alert.base_price,
      alert.last_mailed_price,
    ]);
    expect(new Set(states.map((state) => state.join(' ')))).toEqual(new Set(['true 10000 ']));
    expect(await events()).toEqual([]);
  };

  test('does not fire alerts for a mistake that is undone before alerts are evaluated', async () => {
    await watch(501);
    await (
      await reprice()
    )();
    expect(await waiting()).toHaveLength(3);
    await check(100);
    await isAsBefore();
    expect(await mails()).toEqual([]);
  });

  test('re-arms alerts that a mistake fired, and still emails a later drop', async () => {
    await watch(501);
    const undo = await reprice();
    await ask(database.db).value`select check_alerts(100)`;
    expect(await events()).toHaveLength(100);
    await undo();
    await price(9_900);
    await check(100);
    expect((await events()).map(({ new_price }) => new_price)).toEqual(
      Array.from({ length: 501 }, () => 9_900),
    );
  });

  test('undoes a mistake after all alerts have fired', async () => {
    await watch(501);
    const undo = await reprice();
    await check(100);
    expect(await events()).toHaveLength(501);
    await undo();
    await check(100);
    await isAsBefore();
  });

  test('counts at most 10,000 alerts in the preview of a price change', async () => {
    const edit = { field: 'sale_price', percent: -10 } as const;
    await watch(10_000);
    const preview = () => previewEdit(database.db, { ids: [dealId] }, edit);
    expect((await preview()).alerts).toBe(10_000);
    await watch(10_001);
    expect((await preview()).alerts).toBeNull();
  });
});

// Proves R08: alerts judged in lots (check_alerts.sql)
test('R08: neither loses nor duplicates a firing when three processes are killed 20 times', async () => {
  await watch(60, true);
  const children = [await processes.start(1), await processes.start(1), await processes.start(1)];
  for (let n = 0; n < 20; n += 1) {
    await sleep(Math.random() * 400);
    const victim = children.shift();
    if (victim) await processes.kill(victim);
    children.push(await processes.start(1));
  }
  await processes.killAll();
  await check();
  expect(await waiting()).toEqual([]);
  const { sale_price } = await database.db
    .selectFrom('deals')
    .select('sale_price')
    .executeTakeFirstOrThrow();
  expect(sale_price).toBeLessThan(9_998);
  // A continued drop is reported only by its first change, once per alert and in one email each.
  const fired = await events();
  expect(fired.map(({ new_price }) => new_price)).toEqual(Array.from({ length: 60 }, () => 9_999));
  expect(new Set(fired.map(({ alert_id }) => alert_id)).size).toBe(60);
  expect(new Set((await mails()).map(({ recipient }) => recipient)).size).toBe(60);
  expect(await mails()).toHaveLength(60);
});
