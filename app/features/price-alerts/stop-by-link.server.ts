import type { StopWish } from '#app/platform/mail/stop-token.server.ts';
import type { Db } from '#database/connect.ts';
import { stopAlerts, stopAllAlerts } from './update-alert.server.ts';
import { dropWatchRequest } from './watcher-queries.server.ts';

/** Stops alerts by an emailed link, authorized by its signed token instead of a session. */
export async function stopByLink(
  db: Db,
  what: Exclude<StopWish['what'], 'reminders' | 'search' | 'follows' | 'channel'>,
  id: string,
): Promise<void> {
  if (what === 'alert') await stopAlerts(db, id.split('-').map(Number));
  else if (what === 'alerts') await stopAllAlerts(db, { userId: id });
  else if (what === 'watcher') await stopAllAlerts(db, { watcherId: Number(id) });
  else await dropWatchRequest(db, Number(id));
}
