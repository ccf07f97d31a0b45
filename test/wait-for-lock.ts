import { sql } from 'kysely';
import type { Db } from '#database/connect.ts';

/** Waits until a database connection is waiting for a lock. */
export async function waitForLock(db: Db): Promise<void> {
  for (;;) {
    const { rows } = await sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
    if (rows.length > 0) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
