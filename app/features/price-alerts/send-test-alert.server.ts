import type { Db } from '#database/connect.ts';
import { queueMail } from '#app/platform/mail/queue-mail.server.ts';

/** Queues the mail this alert would send, to its own user; true when there was such an alert. */
export async function sendTestAlert(
  db: Db,
  user: { id: string; email: string },
  alertId: number,
  now: Date,
): Promise<boolean> {
  const alert = await db
    .selectFrom('price_alerts')
    .select('id')
    .where('id', '=', alertId)
    .where('user_id', '=', user.id)
    .executeTakeFirst();
  if (!alert) return false;
  await queueMail(db, {
    key: `price-alert-test:${alert.id}:${now.getTime()}`,
    kind: 'price-alert-test',
    to: user.email,
    userId: user.id,
    props: { alertId: alert.id },
  });
  return true;
}
