import { setMailedWeekly } from '#app/features/follows/follow-queries.server.ts';
import { setReminder } from '#app/features/favorites/favorite-queries.server.ts';
import { stopByLink } from '#app/features/price-alerts/stop-by-link.server.ts';
import type { StopWish } from '#app/platform/mail/stop-token.server.ts';
import type { Db } from '#database/connect.ts';
import { stopWatchedSearch } from './watched-search-queries.server.ts';

/** Stops what an emailed link is about, for any kind of email. */
export async function stopByMail(
  db: Db,
  { what, id }: { what: Exclude<StopWish['what'], 'channel'>; id: string },
): Promise<void> {
  if (what === 'reminders') await setReminder(db, id, false);
  else if (what === 'follows') await setMailedWeekly(db, id, false);
  else if (what === 'search') await stopWatchedSearch(db, Number(id));
  else await stopByLink(db, what, id);
}
