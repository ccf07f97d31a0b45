import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { exportAccount } from '#app/features/accounts/people/export-account.server.ts';
import { voidPrice } from '#app/features/deals/void-prices.server.ts';
import { changeDeals, undoEdit } from '#app/features/deals/change-deals.server.ts';
import { previewEdit } from '#app/features/deals/edit-deals.server.ts';
import { rollBackImport } from '#app/features/feeds/review/roll-back-import.server.ts';
import { readAlertInput } from '#app/features/price-alerts/alert-input.ts';
import { writeWebhook } from '#app/features/webhooks/write-webhook.server.ts';
import { ask } from '#database/ask.ts';
import { useCurrencyShop } from '#test/currency-shop.ts';
import { useTestDatabase } from '#test/database.ts';
import { insertUser } from '#test/factories/insert.ts';
import { continueCurrencyChange, findCurrencyChange } from './switch-currency.server.ts';

// Tests of work that starts in one currency and continues in another.

const database = useTestDatabase();
const shop = useCurrencyShop(database);
const { changeCurrency, setCurrency, feed, theDeal, theLog, theProof } = shop;

const lowestIn = (days: number) =>
  ask(database.db).value<number>`
    select lowest_price_within((select min(id) from deals), ${days}, now() + interval '1 second')`;

// Proves P2: claims begin anew after a gap in another currency (database/functions/deals_before_write.sql)
test('restarts price claims after a price in another currency, unless that price was voided', async () => {
  await feed(4_000, 'USD');
  await feed(1_000, 'USD');
  await setCurrency('EUR');
  await feed(900, 'EUR');
  await setCurrency('USD');
  await feed(3_500, 'USD');
  // The store may have changed its price in dollars in the meantime.
  expect(await shop.theHistory()).toEqual([3_500]);
  expect(await theProof()).toMatchObject({ lowest_ever: 3_500, currency: 'USD' });
  expect(await lowestIn(90)).toBe(3_500);
  expect(await theLog()).toEqual(['4000 USD', '1000 USD', '900 EUR', '3500 USD']);

  const { id: dealId } = await theDeal();
  const lineId = await ask(database.db).value<number>`
    select id from price_log where currency = 'EUR'`;
  const slip = { actor: 'u1', dealId, lineId: lineId ?? 0, reason: 'The currency was a slip' };
  expect(await voidPrice(database.db, slip)).toMatchObject({ ok: true });
  expect(await shop.theHistory()).toEqual([4_000, 1_000, 3_500]);
  expect(await theProof()).toMatchObject({ lowest_ever: 1_000 });
  expect(await lowestIn(90)).toBe(1_000);
});

test('keeps checked reductions and staff’s exclusions across a currency change, but does not count them', async () => {
  await feed(4_000, 'USD');
  const { db } = database;
  const { id: deal_id, merchant_id } = await theDeal();
  const check = {
    deal_id,
    merchant_id,
    currency: 'USD',
    sale_price: 4_000,
    struck_price: 8_000,
    announced: 50,
    is_standing: false,
    logged_days: 60,
    verdict: 'none' as const,
    seen: 0,
  };
  const days = (n: number) => new Date(Date.now() - n * 86_400_000);
  await db
    .insertInto('reduction_checks')
    .values([
      { ...check, began_at: days(3) },
      { ...check, began_at: days(2), left_out: 'price' },
    ])
    .execute();
  const count = async () => {
    await sql`select count_store_checks(array[${merchant_id}::bigint])`.execute(db);
    return db.selectFrom('store_checks').select(['announced', 'left_out']).executeTakeFirst();
  };
  expect(await count()).toEqual({ announced: 1, left_out: 1 });
  await setCurrency('EUR');
  // Pages show nothing until the statistics are counted again.
  expect(await db.selectFrom('store_checks').select('announced').execute()).toEqual([]);
  expect(await count()).toEqual({ announced: 0, left_out: 0 });
  await feed(3_000, 'EUR');
  await sql`select check_reductions(array[${deal_id}::bigint], '-infinity')`.execute(db);
  expect(await count()).toEqual({ announced: 0, left_out: 0 });
  const kept = await db
    .selectFrom('reduction_checks')
    .select(['currency', 'left_out'])
    .orderBy('began_at')
    .execute();
  expect(kept).toEqual([
    { currency: 'USD', left_out: null },
    { currency: 'USD', left_out: 'price' },
  ]);
});

// Proves P2: a change of the currency on a large site (switch-currency.server.ts)
test('hides many deals batch by batch before the currency changes, and continues after a kill', async () => {
  const { db } = database;
  for (const id of ['1', '2', '3']) await feed(4_000, 'USD', id);
  const user = await insertUser(db);
  const { id: deal_id } = await theDeal();
  await db
    .insertInto('price_alerts')
    .values({ user_id: user.id, deal_id, kind: 'any_drop' })
    .execute();
  expect(await changeCurrency('EUR', 2)).toMatchObject({ ok: true });
  const live = async () =>
    (await db.selectFrom('deals').select('id').where('is_active', '=', true).execute()).length;
  expect(await findCurrencyChange(db)).toEqual({ from: 'USD', to: 'EUR', left: 3 });
  expect(await changeCurrency('JPY')).toEqual({ ok: false, reason: 'changes-currency' });

  let lots = 0;
  const kill = {
    get aborted() {
      return ++lots > 1;
    },
  } as AbortSignal;
  await continueCurrencyChange({ db }, kill, 1);
  expect(await live()).toBe(2);
  expect(await findCurrencyChange(db)).toMatchObject({ left: 2 });
  // An import accepts dollars until the change, and its new deals stay hidden.
  expect(await feed(3_000, 'EUR', '1')).toMatchObject({ counts: { rejected: 1 } });
  await feed(3_000, 'USD', '1');
  await feed(3_000, 'USD', '4');
  expect(await live()).toBe(2);

  await continueCurrencyChange({ db }, undefined, 1);
  expect(await findCurrencyChange(db)).toBeNull();
  expect(await live()).toBe(0);
  const mailed = await db.selectFrom('mail_outbox').select('kind').execute();
  expect(mailed).toEqual([{ kind: 'price-alerts-paused' }]);
  await feed(2_000, 'EUR', '2');
  expect(await live()).toBe(1);
  // After the change back to dollars, deals that still have a price in dollars return.
  await changeCurrency('USD', 0);
  await continueCurrencyChange({ db }, undefined, 1);
  expect(await live()).toBe(3);
  expect(new Set(await theLog())).not.toContain('4000 EUR');
});

test('keeps a price in the new currency when a bulk change in the former one is undone', async () => {
  const { db } = database;
  await feed(4_000, 'USD');
  const { id } = await theDeal();
  const selection = { ids: [id] };
  const wanted = { field: 'sale_price', amount: 3_000 } as const;
  const { seen } = await previewEdit(db, selection, wanted);
  const change = { actor: 'u1', verb: 'price' as const, categoryId: null };
  const result = await changeDeals(db, { ...change, edit: { ...wanted, seen } }, selection);
  if (!result.ok || result.state !== 'done') throw new Error('it was not done');
  await setCurrency('EUR');
  await feed(3_000, 'EUR');
  await undoEdit(db, { actor: 'u1', batch: result.batch });
  expect(await theDeal()).toMatchObject({ sale_price: 3_000, currency: 'EUR' });
  expect(await theLog()).toEqual(['4000 USD', '3000 USD', '3000 EUR']);
});

test('rolls an earlier import back to a price in the former currency, which stays hidden', async () => {
  await feed(4_000, 'USD');
  const { runId } = await feed(3_000, 'USD');
  await setCurrency('EUR');
  expect(await rollBackImport(database.db, 'u1', runId ?? 0)).toMatchObject({
    counts: { restored: 1, skipped: 0 },
  });
  expect(await theDeal()).toMatchObject({
    sale_price: 4_000,
    currency: 'USD',
    is_active: false,
    waits_for_price: true,
  });
  await setCurrency('USD');
  expect(await theDeal()).toMatchObject({ sale_price: 4_000, is_active: true });
});

test.each(['staff', 'a rollback'] as const)(
  'keeps a waiting deal hidden once %s has hidden it, even when its currency returns',
  async (hider) => {
    const { db } = database;
    const { runId } = await feed(4_000, 'USD');
    const { id: deal_id } = await theDeal();
    const user = await insertUser(db); // The alert prevents the deal's removal.
    await db
      .insertInto('price_alerts')
      .values({ user_id: user.id, deal_id, kind: 'any_drop' })
      .execute();
    await setCurrency('EUR');
    const change = { actor: 'u1', verb: 'deactivate', categoryId: null } as const;
    const hide = {
      staff: () => changeDeals(db, change, { ids: [deal_id] }),
      'a rollback': () => rollBackImport(db, 'u1', runId ?? 0),
    };
    expect(await hide[hider]()).toMatchObject({ ok: true });
    await setCurrency('USD');
    expect(await theDeal()).toMatchObject({ is_active: false, waits_for_price: false });
  },
);

test('fires an alert at once if its target is set again in the new currency and already met', async () => {
  const { db } = database;
  await feed(4_000, 'USD');
  const user = await insertUser(db);
  const { id: deal_id } = await theDeal();
  const rule = { user_id: user.id, deal_id, kind: 'target', target_price: 3_000 } as const;
  await db.insertInto('price_alerts').values(rule).execute();
  await setCurrency('EUR');
  await feed(2_500, 'EUR');
  await db.updateTable('price_alerts').set({ currency: 'EUR' }).execute();
  const fired = await db.selectFrom('price_alert_events').select('new_price').execute();
  expect(fired).toEqual([{ new_price: 2_500 }]);
});

// Proves P2: owners of paused alerts get one email per change (switch-currency.server.ts)
test('notifies each owner once, batch by batch, across changes and kills', async () => {
  const { db } = database;
  await feed(4_000, 'USD');
  const { id: deal_id } = await theDeal();
  const owners = [await insertUser(db), await insertUser(db), await insertUser(db)];
  for (const kind of ['any_drop', 'new_low_30'] as const) {
    const alerts = owners.map(({ id: user_id }) => ({ user_id, deal_id, kind }));
    await db.insertInto('price_alerts').values(alerts).execute();
  }
  /**
   * Runs the job. The job is killed before the deals are shown, or after this many batches of two
   * alerts.
   */
  const notify = (lots = Infinity) => {
    let left = lots + 1;
    const kill = {
      get aborted() {
        return left-- <= 0;
      },
    } as AbortSignal;
    return continueCurrencyChange({ db }, kill, 2);
  };
  const mailed = async () =>
    (
      await ask(db).rows<{ user_id: string; from: string }>`
        select user_id, payload ->> 'from' as "from" from mail_outbox where kind = 'price-alerts-paused' order by id`
    ).map((mail) => `${owners.findIndex(({ id }) => id === mail.user_id)} ${mail.from}`);

  await setCurrency('EUR');
  expect(await mailed()).toEqual([]);
  await notify(1);
  expect(await mailed()).toEqual(['0 USD', '1 USD']);
  // After another currency change, the remaining owners are still notified of the first one, and no
  // owner is notified twice.
  await setCurrency('JPY');
  await notify();
  expect((await mailed()).toSorted()).toEqual(['0 USD', '1 USD', '2 USD']);
  // Alerts that are active again need no email, and pause again with the next change.
  await setCurrency('USD');
  await setCurrency('EUR');
  await setCurrency('USD');
  await notify();
  expect(await mailed()).toHaveLength(3);
  await setCurrency('EUR');
  await notify();
  await notify();
  expect(await mailed()).toHaveLength(6);
});

test('re-arms an alert in its own currency when a line of that currency is voided', async () => {
  const { db } = database;
  await feed(4_000, 'USD');
  const user = await insertUser(db);
  const { id: deal_id } = await theDeal();
  const rule = { user_id: user.id, deal_id, kind: 'any_drop' as const };
  await db.insertInto('price_alerts').values(rule).execute();
  await feed(3_000, 'USD');
  await setCurrency('EUR');
  await feed(900, 'EUR');
  const lineId = await ask(db).value<number>`select id from price_log where sale_price = 3000`;
  const slip = { actor: 'u1', dealId: deal_id, lineId: lineId ?? 0, reason: 'A slip' };
  expect(await voidPrice(db, slip)).toEqual({ ok: true });
  expect(await db.selectFrom('price_alerts').select('is_active').execute()).toEqual([
    { is_active: true },
  ]);
  const entry = await db
    .selectFrom('audit_log')
    .select('after')
    .where('action', '=', 'deal.void-price')
    .executeTakeFirst();
  expect(entry?.after).toMatchObject({ sale_price: 3_000, currency: 'USD' });
  expect(await exportAccount(db, user.id)).toMatchObject({ price_alerts: [{ currency: 'USD' }] });
  const alert = await db.selectFrom('price_alerts').selectAll().executeTakeFirstOrThrow();
  const { currency, base_price, is_active } = alert;
  expect({ currency, base_price, is_active }).toEqual(
    // The base is the price when the alert was set, not 900 euro cents read as dollars.
    { currency: 'USD', base_price: 4_000, is_active: true },
  );
  await feed(800, 'EUR');
  expect(await db.selectFrom('price_alert_events').select('id').execute()).toEqual([]);
});

test('returns earlier prices in their own currency from the API', async () => {
  const { db } = database;
  await sql`
    insert into webhook_endpoints (url, events, secret) values
      ('https://hooks.example/', '{deal.published,deal.price_changed}', '\\x00')`.execute(db);
  await feed(4_000, 'USD');
  await setCurrency('EUR');
  await feed(3_500, 'EUR');
  const deliveries = await db.selectFrom('webhook_deliveries').selectAll().orderBy('id').execute();
  const told = [];
  for (const delivery of deliveries) {
    const site = { origin: 'https://deals.example', currency: 'EUR' };
    const { data } = JSON.parse((await writeWebhook(db, delivery, site, new Date())) ?? '{}');
    told.push([data.price.amount, data.price.currency]);
  }
  expect(told).toEqual([
    [4_000, 'USD'],
    [3_500, 'EUR'],
  ]);
});

test('rejects an alert whose form was opened before the currency changed', () => {
  const typed = new URLSearchParams({ kind: 'target', target: '30', currency: 'USD' });
  expect(readAlertInput(typed, 4_000, 'USD')).toMatchObject({ ok: true });
  expect(readAlertInput(typed, 4_000, 'EUR')).toMatchObject({
    ok: false,
    message: 'Prices are in EUR now. Check your alert and save again.',
  });
});
