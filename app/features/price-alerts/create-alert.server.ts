import { sql } from 'kysely';
import { isPriceShown } from '#app/features/deals/deal-conditions.server.ts';
import type { Db } from '#database/connect.ts';
import { readAlertInput } from './alert-input.ts';
import { alertMessages } from './alert-messages.ts';

export const mostAlertsPerUser = 100;

export type AlertOutcome =
  | { ok: true; id: number; hasFired: boolean }
  | { ok: false; status: 404 | 409 | 422; message: string };

/**
 * Arms an alert. A user has one alert for a deal: a second rule takes the place of the first. A deal that already
 * meets the target fires at once, which the database does in this same transaction.
 */
export async function createAlert(
  db: Db,
  userId: string,
  dealId: number,
  form: FormData,
  currency: string,
): Promise<AlertOutcome> {
  return db.transaction().execute(async (tx) => {
    // One at a time for each user, so that the count below holds.
    await sql`select from users where id = ${userId} for no key update`.execute(tx);
    const deal = await tx
      .selectFrom('deals as d')
      .innerJoin('merchants as m', 'm.id', 'd.merchant_id')
      .select(['d.sale_price', 'd.is_expired', 'm.allow_alerts', 'm.keep_history'])
      .select(isPriceShown.as('isPriceShown'))
      .where('d.id', '=', dealId)
      .where('d.is_active', '=', true)
      .executeTakeFirst();
    if (!deal) return { ok: false, status: 404, message: alertMessages.dealGone };
    if (!deal.allow_alerts) return { ok: false, status: 422, message: alertMessages.notAllowed };
    // A target is measured by the price, and one that is met fires at once: both would tell a hidden one.
    if (!deal.isPriceShown) return { ok: false, status: 422, message: alertMessages.priceHidden };
    const input = readAlertInput(form, deal.sale_price, currency);
    if (!input.ok) return { ok: false, status: 422, message: input.message };
    if (input.rule.kind.startsWith('new_low') && !deal.keep_history) {
      return { ok: false, status: 422, message: alertMessages.noHistory };
    }
    const { others } = await tx
      .selectFrom('price_alerts')
      .select((eb) => eb.fn.countAll<number>().as('others'))
      .where('user_id', '=', userId)
      .where('deal_id', '<>', dealId)
      .executeTakeFirstOrThrow();
    if (others >= mostAlertsPerUser)
      return { ok: false, status: 409, message: alertMessages.tooMany };
    const { id } = await tx
      .insertInto('price_alerts')
      .values({ user_id: userId, deal_id: dealId, ...input.rule, is_active: true })
      .onConflict((conflict) =>
        conflict
          .columns(['user_id', 'deal_id'])
          .doUpdateSet({ ...input.rule, is_active: true, updated_at: sql`now()` }),
      )
      .returning('id')
      .executeTakeFirstOrThrow();
    const { is_active } = await tx
      .selectFrom('price_alerts')
      .select('is_active')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    return { ok: true, id, hasFired: !is_active };
  });
}
