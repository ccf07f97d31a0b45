import type { Db } from '#database/connect.ts';

/** Reads one deal's id, as the specification's health check does. Throws when the database does not answer. */
export async function readAnyDealId(db: Db): Promise<void> {
  await db.selectFrom('deals').select('id').limit(1).execute();
}
