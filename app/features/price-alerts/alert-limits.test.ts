import { assert, asyncProperty, integer } from '#test/fast-check.ts';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { insertDeal, insertDeals, insertMerchant, insertUser } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { alertMessages } from './alert-messages.ts';
import { createAlert, mostAlertsPerOwner } from './create-alert.server.ts';
import { deleteAlert, stopAlerts, stopAllAlerts, updateAlert } from './update-alert.server.ts';

const database = useTestDatabase();

const form = (fields: Record<string, string>) => {
  const made = new FormData();
  for (const [name, value] of Object.entries(fields)) made.set(name, value);
  return made;
};
const create = (userId: string, dealId: number, fields: Record<string, string>) =>
  createAlert(database.db, { userId }, dealId, form(fields), 'USD');
const alertsOf = (userId: string) =>
  database.db.selectFrom('price_alerts').selectAll().where('user_id', '=', userId).execute();

describe('the limits of a target', () => {
  test('accepts a target only from one cent to the current price, for any values', async () => {
    const user = await insertUser(database.db);
    const deal = await insertDeal(database.db);
    await assert(
      asyncProperty(
        integer({ min: 1, max: 200_000 }),
        integer({ min: -100, max: 250_000 }),
        async (price, target) => {
          await database.db
            .updateTable('deals')
            .set({ sale_price: price, original_price: 300_000 })
            .where('id', '=', deal.id)
            .execute();
          const outcome = await create(user.id, deal.id, { target: (target / 100).toFixed(2) });
          expect(outcome.ok).toBe(target >= 1 && target <= price);
        },
      ),
      { numRuns: 40 },
    );
  });

  test('reports the violated limit of a target in the specification’s words', async () => {
    const user = await insertUser(database.db);
    const deal = await insertDeal(database.db, { sale_price: 4_999 });
    expect(await create(user.id, deal.id, { target: '0' })).toMatchObject({
      status: 422,
      message: 'Target price must be greater than 0',
    });
    expect(await create(user.id, deal.id, { target: '50.00' })).toMatchObject({
      status: 422,
      message: 'Target price must not be above the current price of $49.99',
    });
    expect(await alertsOf(user.id)).toEqual([]);
  });
});

describe('a user’s alerts', () => {
  async function fillUpTo(userId: string, howMany: number): Promise<void> {
    const deals = await insertDeals(database.db, howMany);
    await database.db
      .insertInto('price_alerts')
      .values(deals.map((id) => ({ user_id: userId, deal_id: id, target_price: 100 })))
      .execute();
  }

  test('limits a user’s alerts to a hundred, even when two are created at once', async () => {
    const user = await insertUser(database.db);
    await fillUpTo(user.id, mostAlertsPerOwner - 1);
    const deals = [await insertDeal(database.db), await insertDeal(database.db)];
    const outcomes = await Promise.all(
      deals.map(({ id }) => create(user.id, id, { target: '0.5' })),
    );
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
    expect(outcomes).toContainEqual({ ok: false, status: 409, message: alertMessages.tooMany });
    expect(await alertsOf(user.id)).toHaveLength(mostAlertsPerOwner);
  });

  test('allows one alert of each kind per deal, and changes an existing one even at the limit', async () => {
    const user = await insertUser(database.db);
    const deal = await insertDeal(database.db, { sale_price: 5_000 });
    await create(user.id, deal.id, { target: '20' });
    await fillUpTo(user.id, mostAlertsPerOwner - 1);
    expect(await create(user.id, deal.id, { kind: 'any_drop' })).toMatchObject({ status: 409 });
    expect(await create(user.id, deal.id, { target: '30' })).toMatchObject({
      ok: true,
      isNew: false,
    });
    await sql`delete from price_alerts where user_id = ${user.id} and deal_id <> ${deal.id}`.execute(
      database.db,
    );
    expect(await create(user.id, deal.id, { kind: 'new_low_90' })).toMatchObject({ isNew: true });
    const alerts = (await alertsOf(user.id)).map(({ kind, target_price }) => [kind, target_price]);
    expect(alerts).toEqual([
      ['target', 3000],
      ['new_low_90', null],
    ]);
  });

  test('does not change an alert to a kind that another alert already has', async () => {
    const user = await insertUser(database.db);
    const deal = await insertDeal(database.db, { sale_price: 5_000 });
    await create(user.id, deal.id, { target: '20' });
    await create(user.id, deal.id, { kind: 'any_drop' });
    const [first] = await alertsOf(user.id);
    const any = form({ kind: 'any_drop' });
    expect(await updateAlert(database.db, { userId: user.id }, first?.id ?? 0, any, 'USD')).toEqual(
      {
        ok: false,
        status: 409,
        message: alertMessages.another,
      },
    );
  });

  test('creates one alert when parallel requests are for the same deal', async () => {
    const user = await insertUser(database.db);
    const deal = await insertDeal(database.db, { sale_price: 5_000 });
    const outcomes = await Promise.all(
      ['10', '20', '30'].map((target) => create(user.id, deal.id, { target })),
    );
    expect(outcomes.every(({ ok }) => ok)).toBe(true);
    expect(await alertsOf(user.id)).toHaveLength(1);
  });

  test('rejects an alert for a deleted deal, or if the store forbids alerts', async () => {
    const user = await insertUser(database.db);
    const hidden = await insertDeal(database.db, { is_active: false });
    const strict = await insertMerchant(database.db, { allow_alerts: false });
    const untold = await insertMerchant(database.db, { keep_history: false });
    const there = await insertDeal(database.db, { merchant_id: strict.id });
    const unwatched = await insertDeal(database.db, { merchant_id: untold.id });
    for (const id of [hidden.id, 999_999_999]) {
      expect(await create(user.id, id, { target: '1' })).toMatchObject({
        status: 404,
        message: 'This deal no longer exists.',
      });
    }
    expect(await create(user.id, there.id, { target: '1' })).toMatchObject({
      status: 422,
      message: 'This store does not allow price alerts.',
    });
    expect(await create(user.id, unwatched.id, { kind: 'new_low_30' })).toMatchObject({
      status: 422,
      message:
        'We keep no price history for this store, so we cannot tell when a price is a new low.',
    });
    expect(await create(user.id, unwatched.id, { target: '1' })).toMatchObject({ ok: true });
    expect(await alertsOf(user.id)).toHaveLength(1);
  });

  test('R03: does not let other users change, delete or stop an alert', async () => {
    const [user, stranger] = [await insertUser(database.db), await insertUser(database.db)];
    const deal = await insertDeal(database.db, { sale_price: 5_000 });
    const made = await create(user.id, deal.id, { target: '20' });
    const id = made.ok ? made.id : 0;
    const before = await alertsOf(user.id);
    expect(
      await updateAlert(database.db, { userId: stranger.id }, id, form({ target: '1' }), 'USD'),
    ).toEqual({
      ok: false,
      status: 404,
      message: 'This price alert no longer exists.',
    });
    expect(await deleteAlert(database.db, { userId: stranger.id }, id)).toBe(false);
    await stopAllAlerts(database.db, { userId: stranger.id });
    expect(await alertsOf(user.id)).toEqual(before);
    await stopAlerts(database.db, [id]);
    expect((await alertsOf(user.id))[0]?.is_active).toBe(false);
    expect(await deleteAlert(database.db, { userId: user.id }, id)).toBe(true);
    expect(await deleteAlert(database.db, { userId: user.id }, id)).toBe(false);
  });
});
