import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { NewDeal } from '#test/factories/a-deal.ts';
import { insertDeal, insertMerchant, insertUser } from '#test/factories/insert.ts';
import type { AlertRule } from './alert-kind.ts';
import { useTestDatabase } from '#test/database.ts';
import { waitForLock } from '#test/wait-for-lock.ts';

const database = useTestDatabase();

async function arm(rule: Partial<AlertRule> = {}, deal: Partial<NewDeal> = {}) {
  const { db } = database;
  const user = await insertUser(db);
  const made = await insertDeal(db, { sale_price: 10_000, original_price: null, ...deal });
  const target_price = (rule.kind ?? 'target') === 'target' ? (rule.target_price ?? 9_000) : null;
  const { id } = await db
    .insertInto('price_alerts')
    .values({ user_id: user.id, deal_id: made.id, kind: 'target', ...rule, target_price })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { user, deal: made, alertId: id };
}

const setPrice = (id: number, sale_price: number) =>
  database.db.updateTable('deals').set({ sale_price }).where('id', '=', id).execute();

const mails = () => database.db.selectFrom('mail_outbox').selectAll().orderBy('id').execute();

const alertOf = (id: number) =>
  database.db.selectFrom('price_alerts').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

const eventsOf = (id: number) =>
  database.db
    .selectFrom('price_alert_events')
    .selectAll()
    .where('alert_id', '=', id)
    .orderBy('id')
    .execute();

const mailStates = async (id: number) => (await eventsOf(id)).map(({ mail_state }) => mail_state);

const armAgain = (id: number) =>
  database.db.updateTable('price_alerts').set({ is_active: true }).where('id', '=', id).execute();

/** Adds a line of a certain age in days to the log. */
const logPrice = (dealId: number, sale_price: number, daysAgo: number) =>
  database.db
    .insertInto('price_log')
    .values({
      deal_id: dealId,
      at: sql`now() - make_interval(days => ${daysAgo})`,
      sale_price,
      original_price: null,
      availability: 'in_stock',
      source: 'feed',
      import_run_id: null,
    })
    .execute();

/** Gives the deal this price at an earlier time. */
async function backdate(dealId: number, price: number, daysAgo: number) {
  await sql`alter table price_log disable trigger user`.execute(database.db);
  await sql`
    update price_log set at = now() - make_interval(days => ${daysAgo})
     where deal_id = ${dealId} and sale_price = ${price}`.execute(database.db);
  await sql`alter table price_log enable trigger user`.execute(database.db);
}

// Proves Storefront 4: Alert: active, fired, armed again (fire_price_alerts.sql)
// Proves P25: an alert fires and mails once (fire_price_alerts.sql)
test('fires an alert at the target, ends it with the time and price, and queues one email', async () => {
  const { user, deal, alertId } = await arm({ target_price: 9_000 });
  await setPrice(deal.id, 9_001);
  expect(await mails()).toEqual([]);
  await setPrice(deal.id, 9_000);
  const alert = await alertOf(alertId);
  expect(alert.is_active).toBe(false);
  expect(alert.fired_price).toBe(9_000);
  expect(alert.fired_at).toBeInstanceOf(Date);
  const [mail, ...more] = await mails();
  expect(more).toEqual([]);
  const [event] = await eventsOf(alertId);
  expect(event).toMatchObject({ old_price: 9_001, new_price: 9_000, mail_state: 'queued' });
  expect(mail).toMatchObject({
    kind: 'price-alert',
    recipient: user.email,
    user_id: user.id,
    payload: { alertId, eventId: event!.id },
    key: event!.mail_key,
  });
});

test('emails no further drop after an alert fired', async () => {
  const { deal } = await arm();
  await setPrice(deal.id, 8_000);
  await setPrice(deal.id, 7_000);
  expect(await mails()).toHaveLength(1);
});

test('does not fire alerts for a change that is rolled back', async () => {
  const { deal, alertId } = await arm();
  await expect(
    database.db.transaction().execute(async (tx) => {
      await tx.updateTable('deals').set({ sale_price: 5_000 }).where('id', '=', deal.id).execute();
      throw new Error('no');
    }),
  ).rejects.toThrow('no');
  expect((await alertOf(alertId)).is_active).toBe(true);
  expect(await mails()).toEqual([]);
});

test('fires each alert once when plain SQL updates many deals', async () => {
  const armed = [await arm(), await arm(), await arm({ target_price: 100 })];
  await sql`update deals set sale_price = sale_price / 2, price_source = 'feed'`.execute(
    database.db,
  );
  const states = await Promise.all(armed.map(({ alertId }) => alertOf(alertId)));
  expect(states.map((alert) => alert.is_active)).toEqual([false, false, true]);
  expect(await mails()).toHaveLength(2);
});

test('fires any-drop alerts on a drop but not on a rise', async () => {
  const { deal, alertId } = await arm({ kind: 'any_drop' });
  await setPrice(deal.id, 12_000);
  expect((await alertOf(alertId)).is_active).toBe(true);
  await setPrice(deal.id, 11_999);
  expect((await alertOf(alertId)).is_active).toBe(false);
});

test('measures a percentage from the price when the alert was armed, and includes the exact value', async () => {
  const { deal, alertId } = await arm({ kind: 'percent_drop', target_percent: 15 });
  await setPrice(deal.id, 8_501);
  expect((await alertOf(alertId)).is_active).toBe(true);
  await setPrice(deal.id, 8_500);
  expect((await alertOf(alertId)).is_active).toBe(false);
});

test('ignores lows older than 30 or 90 days', async () => {
  for (const [kind, fires] of [
    ['new_low_30', true],
    ['new_low_90', false],
  ] as const) {
    const { deal, alertId } = await arm({ kind }, { price_since: sql`now()` as never });
    await logPrice(deal.id, 5_000, 60);
    await logPrice(deal.id, 9_500, 50);
    await setPrice(deal.id, 9_500);
    // The price equals the low but is not lower.
    expect((await alertOf(alertId)).is_active).toBe(true);
    await setPrice(deal.id, 9_400);
    expect((await alertOf(alertId)).is_active).toBe(!fires);
  }
});

test('fires a back-in-stock alert, and holds a price alert while out of stock', async () => {
  const out = { availability: 'out_of_stock' as const };
  const stock = await arm({ kind: 'back_in_stock' }, out);
  const price = await arm({ target_price: 9_000 }, out);
  await setPrice(price.deal.id, 8_000);
  expect((await alertOf(price.alertId)).is_active).toBe(true);
  await database.db.updateTable('deals').set({ availability: 'in_stock' }).execute();
  expect((await alertOf(stock.alertId)).is_active).toBe(false);
  expect((await alertOf(price.alertId)).fired_price).toBe(8_000);
});

test('fires an alert immediately if the target is already met, even after a change or re-arming', async () => {
  const { deal, alertId } = await arm({ target_price: 10_000 });
  expect((await alertOf(alertId)).fired_price).toBe(10_000);
  expect(await mails()).toHaveLength(1);
  const { db } = database;
  await db
    .updateTable('price_alerts')
    .set({ is_active: true, target_price: 9_000 })
    .where('id', '=', alertId)
    .execute();
  expect(await alertOf(alertId)).toMatchObject({
    is_active: true,
    fired_at: null,
    base_price: 10_000,
  });
  await setPrice(deal.id, 9_500);
  await db
    .updateTable('price_alerts')
    .set({ target_price: 9_500 })
    .where('id', '=', alertId)
    .execute();
  expect((await alertOf(alertId)).fired_price).toBe(9_500);
});

test('does not fire alerts for held prices, inactive or expired deals, or merchants that forbid alerts', async () => {
  const { db } = database;
  const held = await arm();
  await db
    .updateTable('deals')
    .set({ held_price: 500, held_at: new Date() })
    .where('id', '=', held.deal.id)
    .execute();
  const hidden = await arm({}, { is_active: false });
  const over = await arm({}, { expires_at: new Date(Date.now() - 60_000) });
  const merchant = await insertMerchant(db, { allow_alerts: false });
  const silent = await arm({}, { merchant_id: merchant.id });
  for (const { deal } of [hidden, over, silent]) await setPrice(deal.id, 100);
  for (const { alertId } of [held, hidden, over, silent]) {
    expect((await alertOf(alertId)).is_active).toBe(true);
  }
  // Once the deal is live again, the alert fires, since the price is met.
  await db.updateTable('deals').set({ is_active: true }).where('id', '=', hidden.deal.id).execute();
  expect((await alertOf(hidden.alertId)).fired_price).toBe(100);
});

test('emails a drop once, and after re-arming only a deeper or new drop, 24 hours later', async () => {
  const { deal, alertId } = await arm();
  await setPrice(deal.id, 8_000);
  await armAgain(alertId); // The target is still met, so the alert fires immediately.
  expect(await mailStates(alertId)).toEqual(['queued', 'same_drop']);
  await setPrice(deal.id, 9_500);
  await armAgain(alertId); // The price rose, so the earlier drop has ended.
  await setPrice(deal.id, 8_500);
  const [first, second, ...more] = await mails();
  expect(more).toEqual([]);
  const hours = (second!.due_at.getTime() - first!.created_at.getTime()) / 3_600_000;
  expect(hours).toBeCloseTo(24, 1);
});

test.each(['any_drop', 'new_low_30', 'new_low_90'] as const)(
  'fires and emails for %s if armed at the low and the price rises and drops again',
  async (kind) => {
    const { deal, alertId } = await arm({ kind });
    await backdate(deal.id, 10_000, 200);
    await setPrice(deal.id, 8_000);
    await armAgain(alertId);
    await backdate(deal.id, 8_000, 180);
    await setPrice(deal.id, 15_000);
    await backdate(deal.id, 15_000, 120);
    await setPrice(deal.id, 12_000);
    expect(await mailStates(alertId)).toEqual(['queued', 'queued']);
  },
);

test('ends a drop once the price rises above it, even while the alert is inactive or the deal hidden', async () => {
  const { deal, alertId } = await arm();
  await setPrice(deal.id, 8_000);
  await setPrice(deal.id, 8_001);
  await setPrice(deal.id, 8_000);
  await armAgain(alertId); // The target is met, so the alert fires immediately.
  const hide = (is_active: boolean) =>
    database.db.updateTable('deals').set({ is_active }).where('id', '=', deal.id).execute();
  await hide(false);
  await armAgain(alertId);
  await setPrice(deal.id, 9_500);
  await setPrice(deal.id, 8_000);
  await hide(true);
  expect(await mailStates(alertId)).toEqual(['queued', 'queued', 'queued']);
});

test('does not suppress an email because of a drop that ended under an older version', async () => {
  const { deal, alertId } = await arm({ kind: 'any_drop' }, { sale_price: 15_000 });
  await database.db.updateTable('price_alerts').set({ last_mailed_price: 8_000 }).execute();
  await setPrice(deal.id, 12_000);
  expect(await mailStates(alertId)).toEqual(['queued']);
});

test('does not email an unverified address, and reports that in the alert’s history', async () => {
  const { db } = database;
  const { user, deal, alertId } = await arm();
  await db.updateTable('users').set({ email_verified: false }).where('id', '=', user.id).execute();
  await setPrice(deal.id, 5_000);
  expect(await mails()).toEqual([]);
  expect((await eventsOf(alertId))[0]?.mail_state).toBe('unverified');
});

test('combines alerts beyond ten emails a day into one digest', async () => {
  const { db } = database;
  const user = await insertUser(db);
  const merchant_id = (await insertMerchant(db)).id;
  for (let n = 0; n < 13; n++) {
    const deal = await insertDeal(db, { sale_price: 10_000, merchant_id });
    await db
      .insertInto('price_alerts')
      .values({ user_id: user.id, deal_id: deal.id, target_price: 9_000, target_percent: null })
      .execute();
    if (n === 3) await db.updateTable('deals').set({ sale_price: 8_000 }).execute();
  }
  await db.updateTable('deals').set({ sale_price: 7_000 }).execute();
  const kinds = (await mails()).map((mail) => mail.kind);
  expect(kinds.filter((kind) => kind === 'price-alert')).toHaveLength(10);
  expect(kinds.filter((kind) => kind === 'price-alert-digest')).toHaveLength(1);
  const events = await db.selectFrom('price_alert_events').select('mail_state').execute();
  expect(events.filter((event) => event.mail_state === 'digest')).toHaveLength(3);
});

test('R45: deletes the alert history with the person', async () => {
  const { db } = database;
  const gone = await arm();
  const stays = await arm();
  for (const { deal } of [gone, stays]) await setPrice(deal.id, 8_000);
  await db.deleteFrom('users').where('id', '=', gone.user.id).execute();
  expect(await db.selectFrom('price_alert_events').select('user_id').execute()).toEqual([
    { user_id: stays.user.id },
  ]);
});

describe('a recurring alert', () => {
  test('fires a recurring alert at the next drop only after the price has risen', async () => {
    const { deal, alertId } = await arm({ kind: 'any_drop', repeats: true });
    for (const price of [8_000, 7_000, 8_000, 7_500, 15_000, 12_000])
      await setPrice(deal.id, price);
    const fired = (await eventsOf(alertId)).map(({ new_price }) => new_price);
    expect(fired).toEqual([8_000, 12_000]);
    expect((await alertOf(alertId)).is_active).toBe(true);
  });

  test('emails a recurring alert at most once a day, with its latest firing', async () => {
    const { deal, alertId } = await arm({ repeats: true });
    for (const price of [8_000, 9_500, 8_100, 9_500, 8_200]) await setPrice(deal.id, price);
    expect(await mailStates(alertId)).toEqual(['queued', 'queued', 'queued']);
    const [first, second, third] = await mails();
    const day = 24 * 60 * 60 * 1_000;
    expect((second?.due_at.getTime() ?? 0) - (first?.due_at.getTime() ?? 0)).toBe(day);
    expect(third?.due_at).toEqual(second?.due_at);
  });

  test('records each drop of a recurring alert once for an unverified address', async () => {
    const { user, deal, alertId } = await arm({ repeats: true });
    await database.db
      .updateTable('users')
      .set({ email_verified: false })
      .where('id', '=', user.id)
      .execute();
    for (const price of [8_000, 7_000, 9_500, 8_500]) await setPrice(deal.id, price);
    expect(await mailStates(alertId)).toEqual(['unverified', 'unverified']);
  });

  test('re-arms an alert that is made recurring while waiting for a rise', async () => {
    const { deal, alertId } = await arm({ repeats: true });
    await setPrice(deal.id, 8_000);
    const { db } = database;
    const own = db.updateTable('price_alerts').where('id', '=', alertId);
    await own.set({ repeats: false }).execute();
    expect(await alertOf(alertId)).toMatchObject({ is_active: true, fired_at: null });
    await setPrice(deal.id, 7_900);
    expect(await alertOf(alertId)).toMatchObject({ is_active: false, fired_price: 7_900 });
  });
});

test('does not miss a drop that happens while an alert is being created', async () => {
  const { db } = database;
  const user = await insertUser(db);
  const deal = await insertDeal(db, { sale_price: 10_000 });
  let arming: Promise<unknown> = Promise.resolve();
  await db.transaction().execute(async (tx) => {
    await tx.updateTable('deals').set({ sale_price: 8_000 }).where('id', '=', deal.id).execute();
    arming = db
      .insertInto('price_alerts')
      .values({ user_id: user.id, deal_id: deal.id, target_price: 9_000, target_percent: null })
      .execute();
    await waitForLock(tx);
  });
  await arming;
  expect(await mails()).toHaveLength(1);
});
