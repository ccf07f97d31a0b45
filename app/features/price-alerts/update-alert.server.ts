import { sql } from 'kysely';
import { isPriceShown } from '#app/features/deals/deal-conditions.server.ts';
import type { Db } from '#database/connect.ts';
import { readAlertInput } from './alert-input.ts';
import { alertMessages } from './alert-messages.ts';
import { type AlertOwner, isOwnedBy, lockOwner } from './alert-owner.server.ts';
import { firesNow, refuse } from './create-alert.server.ts';
import { readGoesTo } from './goes-to.ts';

type UpdateOutcome = { ok: true; hasFired: boolean } | ReturnType<typeof refuse>;

/**
 * Changes an alert's condition and whether it is active. Another owner's alert is treated as
 * missing.
 */
export async function updateAlert(
  db: Db,
  owner: AlertOwner,
  alertId: number,
  form: FormData,
  currency: string,
): Promise<UpdateOutcome> {
  return db.transaction().execute(async (tx) => {
    // The lock prevents creating another alert in the meantime, as in `createAlert`.
    await lockOwner(tx, owner);
    const alert = await tx
      .selectFrom('price_alerts')
      .innerJoin('deals as d', 'd.id', 'price_alerts.deal_id')
      .innerJoin('merchants as m', 'm.id', 'd.merchant_id')
      .select(['d.sale_price', 'd.currency as dealCurrency', 'price_alerts.deal_id'])
      .select(isPriceShown.as('isPriceShown'))
      .where('price_alerts.id', '=', alertId)
      .where(isOwnedBy(owner))
      // The deal is locked before the alert, as a price change does, to avoid a deadlock.
      .forShare('d')
      .executeTakeFirst();
    if (!alert) return refuse(404, alertMessages.gone);
    const isActive = form.get('is_active') !== null;
    // An alert may be deactivated at any time, but changing its condition could reveal a hidden
    // price.
    if (!alert.isPriceShown && isActive) return refuse(422, alertMessages.priceHidden);
    const isBound = alert.isPriceShown && alert.dealCurrency === currency;
    const input = readAlertInput(form, isBound ? alert.sale_price : null, currency);
    if (!input.ok) return refuse(422, input.message);
    const other = await tx
      .selectFrom('price_alerts')
      .select('id')
      .where(isOwnedBy(owner))
      .where('deal_id', '=', alert.deal_id)
      .where('kind', '=', input.rule.kind)
      .where('id', '<>', alertId)
      .executeTakeFirst();
    if (other) return refuse(409, alertMessages.another);
    const goesTo = readGoesTo(form.get('goes_to'));
    await tx
      .updateTable('price_alerts')
      .set(goesTo === null ? {} : { goes_to: goesTo })
      .set({ ...input.rule, currency, is_active: isActive, updated_at: sql`now()` })
      .where('id', '=', alertId)
      .where(isOwnedBy(owner))
      .execute();
    return { ok: true, hasFired: isActive && (await firesNow(tx, alertId)) };
  });
}

/** Deletes an alert. Returns `true` if it existed and belonged to the owner. */
export async function deleteAlert(db: Db, owner: AlertOwner, alertId: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('price_alerts')
    .where('id', '=', alertId)
    .where(isOwnedBy(owner))
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/**
 * Stops alerts by an emailed link, authorized by its signed token instead of a session. Waiting
 * emails are canceled, too.
 */
export function stopAlerts(db: Db, alertIds: number[]) {
  return stop(db).where('id', 'in', alertIds).execute();
}

/** Stops all alerts of an owner by the link in a digest. */
export function stopAllAlerts(db: Db, owner: AlertOwner) {
  return stop(db).where(isOwnedBy(owner)).execute();
}

function stop(db: Db) {
  return db
    .updateTable('price_alerts')
    .set({ is_active: false, fired_at: null, fired_price: null, updated_at: sql`now()` });
}
