import { sql } from 'kysely';
import { isPriceShown } from '#app/features/deals/deal-conditions.server.ts';
import { countRows } from '#app/platform/read-table-page.server.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { readAlertInput } from './alert-input.ts';
import type { AlertRule } from './alert-kind.ts';
import { alertMessages } from './alert-messages.ts';

export const mostAlertsPerUser = 100;

export type AlertOutcome =
  | { ok: true; id: number; rule: AlertRule; isNew: boolean; hasFired: boolean }
  | { ok: false; status: 404 | 409 | 422; message: string };

/** The answer to what cannot be done. */
export const refuse = (status: 404 | 409 | 422, message: string) =>
  ({ ok: false, status, message }) as const;

/**
 * Arms an alert. A deal may have several rules, each kind once: where there is one of this kind, it is changed. Where the
 * price is met already, the database fires it at once, in this same transaction.
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
    if (!deal) return refuse(404, alertMessages.dealGone);
    if (!deal.allow_alerts) return refuse(422, alertMessages.notAllowed);
    // A target is measured by the price, and one that is met fires at once: both would tell a hidden one.
    if (!deal.isPriceShown) return refuse(422, alertMessages.priceHidden);
    const input = readAlertInput(form, deal.sale_price, currency);
    if (!input.ok) return refuse(422, input.message);
    if (input.rule.kind.startsWith('new_low') && !deal.keep_history) {
      return refuse(422, alertMessages.noHistory);
    }
    const { rule } = input;
    const own = tx.selectFrom('price_alerts').where('user_id', '=', userId);
    const present = await own
      .select(['id', 'is_active'])
      .where('deal_id', '=', dealId)
      .where('kind', '=', rule.kind)
      .executeTakeFirst();
    if (!present && (await countRows(own)) >= mostAlertsPerUser) {
      return refuse(409, alertMessages.tooMany);
    }
    const armed = { ...rule, is_active: true };
    const { id } = await tx
      .insertInto('price_alerts')
      .values({ user_id: userId, deal_id: dealId, ...armed })
      .onConflict((conflict) =>
        conflict
          .columns(['user_id', 'deal_id', 'kind'])
          .doUpdateSet({ ...armed, updated_at: sql`now()` }),
      )
      .returning('id')
      .executeTakeFirstOrThrow();
    return { ok: true, id, rule, isNew: !present?.is_active, hasFired: !(await isArmed(tx, id)) };
  });
}

/** Asked after the write: the database fires an alert whose price is met, and puts it to rest. */
export function isArmed(db: Db, id: number) {
  return ask(db).value<boolean>`select is_active from price_alerts where id = ${id}`;
}
