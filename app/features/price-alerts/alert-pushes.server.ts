import { formatMoney } from '#app/platform/money.ts';
import type { Db } from '#database/connect.ts';
import { findFiredTogether } from './fired-alert-queries.server.ts';
import type { Push, PushMessage } from './send-due-pushes.server.ts';

/**
 * Returns the push message for alerts of a deal that fired together, if at least one is still met.
 */
export async function writeAlertPush(
  db: Db,
  { event_id }: Push,
  currency: string,
): Promise<PushMessage | null> {
  const fired = await findFiredTogether(db, event_id ?? 0);
  const alerts = fired.filter(({ isEnded, isStillMet }) => !isEnded && isStillMet);
  const [alert] = alerts;
  if (!alert) return null;
  const { title, oldPrice, newPrice, merchantName } = alert;
  const was =
    oldPrice !== null && oldPrice > newPrice ? `, was ${formatMoney(oldPrice, currency)}` : '';
  const news = alerts.some(({ kind }) => kind === 'back_in_stock') ? 'Back in stock at' : 'Now';
  return {
    title,
    body: `${news} ${formatMoney(newPrice, currency)}${was} at ${merchantName.slice(0, 60)}`,
    path: `/deals/${alert.slug}`,
    tag: `deal-${alert.dealId}`,
  };
}
