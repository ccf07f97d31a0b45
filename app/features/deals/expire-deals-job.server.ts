import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';

const dealsAtATime = 500;

/**
 * Marks deals whose time has come, within a minute; the database recounts the lists and tells the page cache. Small
 * batches, so that nobody waits behind it; rows that another process holds are left to it.
 */
export async function expireDeals(db: Db): Promise<void> {
  let marked: number;
  do {
    const rows = await ask(db).rows`
      update deals set is_expired = true where id in (
        select id from deals where not is_expired and expires_at <= now()
         order by expires_at limit ${dealsAtATime} for update skip locked)
      returning id`;
    marked = rows.length;
  } while (marked === dealsAtATime);
}
