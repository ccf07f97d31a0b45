import { setMailedWeekly } from '#app/features/follows/follow-queries.server.ts';
import { setReminder } from '#app/features/favorites/favorite-queries.server.ts';
import { stopAlerts, stopAllAlerts } from '#app/features/price-alerts/update-alert.server.ts';
import type { StopWish } from '#app/platform/mail/stop-token.server.ts';
import type { Db } from '#database/connect.ts';
import { dropWatchRequest } from './watch-requests.server.ts';
import { stopWatchedSearch } from './watched-search-queries.server.ts';

const stops: Record<
  Exclude<StopWish['what'], 'channel'>,
  (db: Db, id: string) => Promise<unknown>
> = {
  alert: (db, id) => stopAlerts(db, id.split('-').map(Number)),
  alerts: (db, id) => stopAllAlerts(db, { userId: id }),
  watcher: (db, id) => stopAllAlerts(db, { watcherId: Number(id) }),
  request: (db, id) => dropWatchRequest(db, Number(id)),
  search: (db, id) => stopWatchedSearch(db, Number(id)),
  reminders: (db, id) => setReminder(db, id, false),
  follows: (db, id) => setMailedWeekly(db, id, false),
};

/**
 * Stops the emails of any kind that an emailed link names, authorized by the link's signed token
 * instead of a session.
 */
export async function stopByMail(
  db: Db,
  { what, id }: { what: Exclude<StopWish['what'], 'channel'>; id: string },
): Promise<void> {
  await stops[what](db, id);
}
