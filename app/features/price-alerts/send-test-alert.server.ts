import { isPriceShown } from '#app/features/deals/deal-conditions.server.ts';
import type { Db } from '#database/connect.ts';
import { queueMail } from '#app/platform/mail/queue-mail.server.ts';

/**
 * Queues a test email of this alert to its own user, whose email must be verified. If the price is
 * hidden, no email is queued.
 */
export async function sendTestAlert(
  db: Db,
  user: { id: string; email: string },
  alertId: number,
  now: Date,
): Promise<'queued' | 'gone' | 'price-hidden' | 'unproved'> {
  const alert = await db
    .selectFrom('price_alerts as a')
    .innerJoin('deals as d', 'd.id', 'a.deal_id')
    .innerJoin('merchants as m', 'm.id', 'd.merchant_id')
    .innerJoin('users as u', 'u.id', 'a.user_id')
    .select(['a.id', 'u.email_verified', isPriceShown.as('isPriceShown')])
    .where('a.id', '=', alertId)
    .where('a.user_id', '=', user.id)
    .executeTakeFirst();
  if (!alert) return 'gone';
  if (!alert.email_verified) return 'unproved';
  if (!alert.isPriceShown) return 'price-hidden';
  await queueMail(db, {
    key: `price-alert-test:${alert.id}:${now.getTime()}`,
    kind: 'price-alert-test',
    to: user.email,
    userId: user.id,
    props: { alertId: alert.id },
  });
  return 'queued';
}
