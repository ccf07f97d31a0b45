import { sql } from 'kysely';
import type { Db } from '#database/connect.ts';
import { readAlertInput } from './alert-input.ts';
import { alertMessages } from './alert-messages.ts';
import type { AlertOutcome } from './create-alert.server.ts';

/** Changes an alert's wish and whether it is armed. Somebody else's alert is a missing one (R03). */
export async function updateAlert(
  db: Db,
  userId: string,
  alertId: number,
  form: FormData,
  currency: string,
): Promise<AlertOutcome> {
  return db.transaction().execute(async (tx) => {
    const alert = await tx
      .selectFrom('price_alerts')
      .innerJoin('deals', 'deals.id', 'price_alerts.deal_id')
      .select('deals.sale_price')
      .where('price_alerts.id', '=', alertId)
      .where('price_alerts.user_id', '=', userId)
      .executeTakeFirst();
    if (!alert) return { ok: false, status: 404, message: alertMessages.gone };
    const input = readAlertInput(form, alert.sale_price, currency);
    if (!input.ok) return { ok: false, status: 422, message: input.message };
    const isActive = form.get('is_active') !== null;
    await tx
      .updateTable('price_alerts')
      .set({ ...input.wish, is_active: isActive, updated_at: sql`now()` })
      .where('id', '=', alertId)
      .where('user_id', '=', userId)
      .execute();
    const after = await tx
      .selectFrom('price_alerts')
      .select('is_active')
      .where('id', '=', alertId)
      .executeTakeFirst();
    return { ok: true, id: alertId, hasFired: isActive && after?.is_active === false };
  });
}

/** True when it was there and the user's own. */
export async function deleteAlert(db: Db, userId: string, alertId: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('price_alerts')
    .where('id', '=', alertId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** From the link in a mail: the signed token decides, not a session. A mail that still waits is not sent either. */
export async function stopAlert(db: Db, alertId: number): Promise<void> {
  await db
    .updateTable('price_alerts')
    .set({ is_active: false, fired_at: null, fired_price: null, updated_at: sql`now()` })
    .where('id', '=', alertId)
    .execute();
}

/** All of a user's, from the link in a digest. */
export async function stopAllAlerts(db: Db, userId: string): Promise<void> {
  await db
    .updateTable('price_alerts')
    .set({ is_active: false, fired_at: null, fired_price: null, updated_at: sql`now()` })
    .where('user_id', '=', userId)
    .execute();
}
