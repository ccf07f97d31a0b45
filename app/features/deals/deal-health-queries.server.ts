import type { Db } from '#database/connect.ts';

/**
 * Reads one deal's id, for the specification's health check. Throws if the database does not
 * respond.
 */
export async function readAnyDealId(db: Db): Promise<void> {
  await db.selectFrom('deals').select('id').limit(1).execute();
}
