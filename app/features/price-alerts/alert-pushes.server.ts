import { formatMoney } from '#app/platform/money.ts';
import type { Db } from '#database/connect.ts';
import { findFiredAlert } from './fired-alert-queries.server.ts';
import type { Push, PushMessage } from './send-due-pushes.server.ts';

/** A fired alert, while it is still met. */
export async function writeAlertPush(
  db: Db,
  { event_id }: Push,
  currency: string,
): Promise<PushMessage | null> {
  const alert = await findFiredAlert(db, event_id ?? 0);
  if (!alert || alert.isEnded || !alert.isStillMet) return null;
  const { title, oldPrice, newPrice, merchantName } = alert;
  const was =
    oldPrice !== null && oldPrice > newPrice ? `, was ${formatMoney(oldPrice, currency)}` : '';
  const news = alert.kind === 'back_in_stock' ? 'Back in stock at' : 'Now';
  return {
    title,
    body: `${news} ${formatMoney(newPrice, currency)}${was} at ${merchantName.slice(0, 60)}`,
    path: `/deals/${alert.slug}`,
    tag: `deal-${alert.dealId}`,
  };
}
