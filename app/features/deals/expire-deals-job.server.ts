import type { Db } from '#database/connect.ts';

const dealsAtATime = 500;

/**
 * Marks deals whose time has come. Pages show the mark within a minute of the hour the deal names; the database
 * recounts the lists and tells the page cache. Small batches, so that nobody waits behind it, and rows another
 * process holds are left to it.
 */
export async function expireDeals(db: Db): Promise<void> {
  let marked: number;
  do {
    const rows = await db
      .updateTable('deals')
      .set({ is_expired: true })
      .where('id', 'in', (deals) =>
        deals
          .selectFrom('deals')
          .select('id')
          .where('is_expired', '=', false)
          .where('expires_at', '<=', deals.fn<Date>('now'))
          .orderBy('expires_at')
          .limit(dealsAtATime)
          .forUpdate()
          .skipLocked(),
      )
      .returning('id')
      .execute();
    marked = rows.length;
  } while (marked === dealsAtATime);
}
