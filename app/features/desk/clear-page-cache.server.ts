import { sql } from 'kysely';
import { writeAudit } from '#app/platform/audit/audit.server.ts';
import type { Db } from '#database/connect.ts';

/** Clears the page cache of every process. */
export async function clearPageCache(db: Db, actor: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`select pg_notify('pages', 'all')`.execute(tx);
    await writeAudit(tx, { actor, action: 'site.clear-cache', entity: 'site' });
  });
}
