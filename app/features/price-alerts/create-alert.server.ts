import { sql } from 'kysely';
import { isPriceShown } from '#app/features/deals/deal-conditions.server.ts';
import { countRows } from '#app/platform/read-table-page.server.ts';
import { ask } from '#database/ask.ts';
import type { Db, Tx } from '#database/connect.ts';
import { readAlertInput } from './alert-input.ts';
import type { AlertRule } from './alert-kind.ts';
import { alertMessages } from './alert-messages.ts';
import { type AlertOwner, isOwnedBy, lockOwner } from './alert-owner.server.ts';

export const mostAlertsPerOwner = 100;

export type AlertRefusal = ReturnType<typeof refuse>;
export type AlertOutcome =
  | { ok: true; id: number; rule: AlertRule; isNew: boolean; hasFired: boolean }
  | AlertRefusal;

/** Returns a rejection with its status and message. */
export const refuse = (status: 404 | 409 | 422, message: string) =>
  ({ ok: false, status, message }) as const;

/**
 * Creates an alert. A deal may have one alert of each kind, so an existing one of this kind is
 * changed. If the condition is already met, the database fires the alert in the same transaction.
 */
export async function createAlert(
  db: Db,
  owner: AlertOwner,
  dealId: number,
  form: FormData,
  currency: string,
): Promise<AlertOutcome> {
  return db.transaction().execute(async (tx) => {
    await lockOwner(tx, owner);
    const read = await readRule(tx, dealId, form, currency);
    return read.ok ? armAlert(tx, owner, dealId, read.rule) : read;
  });
}

/** Parses the condition in a deal's form. Returns the condition or a rejection. */
export async function readRule(
  db: Db,
  dealId: number,
  form: FormData,
  currency: string,
): Promise<{ ok: true; rule: AlertRule } | AlertRefusal> {
  const deal = await findWatchable(db, dealId);
  if ('message' in deal) return deal;
  const input = readAlertInput(form, deal.sale_price, currency);
  if (!input.ok) return refuse(422, input.message);
  return refuseKind(input.rule, deal) ?? input;
}

/**
 * Checks a condition that was parsed earlier, such as a confirmed one. Returns a rejection, or the
 * deal.
 */
export async function refuseRule(
  db: Db,
  dealId: number,
  rule: AlertRule,
): Promise<AlertRefusal | null> {
  const deal = await findWatchable(db, dealId);
  return 'message' in deal ? deal : refuseKind(rule, deal);
}

function refuseKind({ kind }: AlertRule, deal: { keep_history: boolean }): AlertRefusal | null {
  return kind.startsWith('new_low') && !deal.keep_history
    ? refuse(422, alertMessages.noHistory)
    : null;
}

async function findWatchable(db: Db, dealId: number) {
  const deal = await db
    .selectFrom('deals as d')
    .innerJoin('merchants as m', 'm.id', 'd.merchant_id')
    .select(['d.sale_price', 'm.allow_alerts', 'm.keep_history'])
    .select(isPriceShown.as('isPriceShown'))
    .where('d.id', '=', dealId)
    .where('d.is_active', '=', true)
    .executeTakeFirst();
  if (!deal) return refuse(404, alertMessages.dealGone);
  if (!deal.allow_alerts) return refuse(422, alertMessages.notAllowed);
  // A target is compared with the price, and an alert whose target is met fires immediately. Both
  // would reveal a hidden price.
  return deal.isPriceShown ? deal : refuse(422, alertMessages.priceHidden);
}

/** Arms an alert of an owner who is locked. */
export async function armAlert(
  tx: Tx,
  owner: AlertOwner,
  dealId: number,
  rule: AlertRule,
): Promise<AlertOutcome> {
  const own = tx.selectFrom('price_alerts').where(isOwnedBy(owner));
  const present = await own
    .select(['id', 'is_active'])
    .where('deal_id', '=', dealId)
    .where('kind', '=', rule.kind)
    .executeTakeFirst();
  if (!present && (await countRows(own)) >= mostAlertsPerOwner) {
    return refuse(409, alertMessages.tooMany);
  }
  const armed = { ...rule, is_active: true };
  const column = 'userId' in owner ? 'user_id' : 'watcher_id';
  const { id } = await tx
    .insertInto('price_alerts')
    .values({
      [column]: 'userId' in owner ? owner.userId : owner.watcherId,
      deal_id: dealId,
      ...armed,
    })
    .onConflict((conflict) => {
      const same = conflict.columns([column, 'deal_id', 'kind']);
      const owners = column === 'user_id' ? same : same.where(column, 'is not', null);
      return owners.doUpdateSet({ ...armed, updated_at: sql`now()` });
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { ok: true, id, rule, isNew: !present?.is_active, hasFired: await firesNow(tx, id) };
}

/**
 * Returns whether the alert fired. Called after the write in the same transaction, where the
 * database fires a met alert.
 */
export async function firesNow(tx: Tx, id: number): Promise<boolean> {
  const hasFired = await ask(tx).value<boolean>`
    select coalesce(fired_at = now(), false) from price_alerts where id = ${id}`;
  return hasFired === true;
}
