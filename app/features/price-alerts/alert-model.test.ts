import { sql } from 'kysely';
import * as fc from '#test/fast-check.ts';
import { expect, test } from 'vitest';
import { insertDeal, insertMerchant, insertUser } from '#test/factories/insert.ts';
import { ask } from '#database/ask.ts';
import { useTestDatabase } from '#test/database.ts';
import { changeDeals, undoEdit } from '#app/features/deals/change-deals.server.ts';
import type { AlertKind } from './alert-kind.ts';
import { type Alert, type Deal, newWorld, play, type Step } from '#test/alert-model.ts';

// Compares random sequences of prices, stock and alerts with a naive implementation of the rules
// (test/alert-model.ts). A failure prints its seed and the shortest failing sequence.
// TEST_SEED=random uses new sequences.

const database = useTestDatabase();
const kinds: AlertKind[] = [
  'target',
  'any_drop',
  'percent_drop',
  'new_low_30',
  'new_low_90',
  'back_in_stock',
];
const price = fc.constantFrom(6_000, 8_000, 8_100, 10_000, 12_000, 15_000);
const isOn = fc.boolean();
const availability = fc.constantFrom('in_stock', 'out_of_stock', 'unknown') as fc.Arbitrary<
  Deal['availability']
>;
const kind = fc.constantFrom(...kinds);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: price.map((sale_price) => ({ change: { sale_price } })) },
  { weight: 2, arbitrary: fc.record({ change: fc.record({ sale_price: price, availability }) }) },
  { weight: 2, arbitrary: fc.record({ change: fc.record({ availability }) }) },
  { weight: 1, arbitrary: isOn.map((is_active) => ({ change: { is_active } })) },
  { weight: 1, arbitrary: isOn.map((isOver) => ({ change: { isOver } })) },
  // With `isUndo`, a change restores a price like the rollback of an import.
  { weight: 1, arbitrary: fc.record({ change: fc.record({ sale_price: price }), isUndo: isOn }) },
  { weight: 4, arbitrary: price.map((type) => ({ type })) },
  { weight: 2, arbitrary: fc.constant({ undo: true as const }) },
  { weight: 6, arbitrary: fc.record({ arm: kind, stays: isOn }) },
  { weight: 1, arbitrary: kind.map((disarm) => ({ disarm })) },
  { weight: 1, arbitrary: price.map((target) => ({ target })) },
  { weight: 2, arbitrary: fc.constantFrom(7, 35, 98).map((days) => ({ days })) },
);
const walk = fc.array(step, { minLength: 6, maxLength: 24, size: 'max' });

/**
 * The time of evaluation: immediately, in batches of two after each step, or in batches after
 * several changes.
 */
type Pace = 'at once' | 'in lots' | 'in lots later';

const seeds = process.env['TEST_SEED'] === 'random' ? [Date.now() | 0] : [1, 2, 3, 4, 5, 6];

const walks = seeds.flatMap((seed): { seed: number; pace: Pace }[] => [
  { seed, pace: 'at once' },
  { seed, pace: seed % 2 === 0 ? 'in lots' : 'in lots later' },
]);

test.each(walks)(
  'fires and emails alerts by the rules in random sequences with seed $seed, $pace',
  async ({ seed, pace }) => {
    const merchant = await insertMerchant(database.db);
    await fc.assert(
      fc.asyncProperty(walk, async (steps) => {
        const world = newWorld();
        const { dealId, userId } = await makeShop(merchant.id, world.deal);
        const shop: Shop = { dealId, userId, batches: [], waits: pace !== 'at once' };
        const compare = async () => {
          await checkAll();
          expect(await readWorld(dealId)).toEqual(Object.fromEntries(world.alerts));
          expect(await countMails(userId)).toBe(world.mails);
        };
        for (const one of steps) {
          // Consecutive price changes remain queued. Before any other step, the queue is processed.
          if (pace === 'in lots later' && !('change' in one)) await compare();
          play(world, one);
          await doStep(shop, one);
          if (pace !== 'in lots later') await compare();
        }
        await compare();
      }),
      { seed, numRuns: 15 },
    );
  },
);

async function checkAll(): Promise<void> {
  while (await ask(database.db).value<number>`select check_alerts(2)`) {
    await database.db.deleteFrom('alert_mail_days').execute();
  }
}

async function makeShop(merchant_id: number, { sale_price, availability: stock }: Deal) {
  const { db } = database;
  const user = await insertUser(db);
  const deal = await insertDeal(db, {
    merchant_id,
    sale_price,
    original_price: null,
    availability: stock,
    price_source: 'feed',
  });
  return { dealId: deal.id, userId: user.id };
}

interface Shop {
  dealId: number;
  userId: string;
  /** The edits by staff that can be undone. */
  batches: string[];
  /** Whether alerts are evaluated later than in the statement that changes a price. */
  waits: boolean;
}

async function doStep({ dealId, userId, batches, waits }: Shop, one: Step): Promise<void> {
  const { db } = database;
  if ('type' in one) return typePrice(dealId, one.type, batches);
  if ('undo' in one) {
    const batch = batches.pop();
    if (batch !== undefined) await undoEdit(db, { actor: 'u1', batch });
    return;
  }
  if ('change' in one) return changeDeal(dealId, one, waits);
  if ('days' in one) return letDaysPass(dealId, one.days);
  if ('arm' in one) {
    const target_price = one.arm === 'target' ? 9_000 : null;
    const repeats = one.stays ?? false;
    const target_percent = one.arm === 'percent_drop' ? 20 : null;
    await db
      .insertInto('price_alerts')
      .values({
        user_id: userId,
        deal_id: dealId,
        kind: one.arm,
        target_price,
        target_percent,
        repeats,
      })
      .onConflict((same) =>
        same.columns(['user_id', 'deal_id', 'kind']).doUpdateSet({ is_active: true, repeats }),
      )
      .execute();
    return;
  }
  const own = db.updateTable('price_alerts').where('deal_id', '=', dealId);
  await (
    'disarm' in one
      ? own.set({ is_active: false }).where('kind', '=', one.disarm)
      : own.set({ target_price: one.target }).where('kind', '=', 'target')
  ).execute();
}

async function typePrice(dealId: number, amount: number, batches: string[]): Promise<void> {
  await database.db.deleteFrom('alert_mail_days').execute();
  const edit = { field: 'sale_price', amount, seen: 'infinity' } as const;
  const change = { actor: 'u1', verb: 'price', categoryId: null, edit } as const;
  const result = await changeDeals(database.db, change, { ids: [dealId] });
  if (result.ok && result.state === 'done' && result.changed > 0) batches.push(result.batch);
}

async function changeDeal(
  dealId: number,
  { change, isUndo = false }: Extract<Step, { change: unknown }>,
  waits: boolean,
): Promise<void> {
  const { isOver, ...columns } = change;
  await database.db.transaction().execute(async (tx) => {
    if (isUndo) await sql`select set_config('app.undoes_import', 'on', true)`.execute(tx);
    if (waits) await sql`select set_config('app.alerts_at_once', '0', true)`.execute(tx);
    // The limit of ten emails a day is covered by another test.
    await tx.deleteFrom('alert_mail_days').execute();
    await tx
      .updateTable('deals')
      .set({
        ...columns,
        price_source: 'feed',
        ...(isOver !== undefined && { expires_at: isOver ? sql<Date>`now()` : null }),
      })
      .where('id', '=', dealId)
      .execute();
  });
}

async function letDaysPass(dealId: number, days: number): Promise<void> {
  await database.db.transaction().execute(async (tx) => {
    await sql`alter table price_log disable trigger user`.execute(tx);
    await sql`update price_log set at = at - make_interval(days => ${days}) where deal_id = ${dealId}`.execute(
      tx,
    );
    await sql`alter table price_log enable trigger user`.execute(tx);
  });
}

async function countMails(userId: string): Promise<number> {
  const { mails } = await database.db
    .selectFrom('mail_outbox')
    .select((eb) => eb.fn.countAll<number>().as('mails'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return mails;
}

async function readWorld(dealId: number): Promise<Record<string, Alert>> {
  const { rows } = await sql<Alert>`
    select a.kind, a.is_active as "isArmed", a.repeats as stays, a.fired_at is not null as "hasFired", a.target_price as target, a.base_price as base, a.last_mailed_price as mailed,
           coalesce((select jsonb_agg(jsonb_build_array(e.new_price, e.mail_state) order by e.id)
                       from price_alert_events e where e.alert_id = a.id), '[]') as fired
      from price_alerts a where a.deal_id = ${dealId}`.execute(database.db);
  return Object.fromEntries(rows.map((alert) => [alert.kind, alert]));
}
