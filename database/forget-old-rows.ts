import { sql } from 'kysely';
import type { Db } from '#database/connect.ts';
import { tableRules } from '#database/table-registry.ts';

/** Deletes what is over by the words of `table-registry.ts`, in the tables that `job` looks after. */
export async function forgetOldRows(db: Db, job: string): Promise<void> {
  for (const [table, { old }] of Object.entries(tableRules)) {
    if (typeof old === 'string' || old.job !== job) continue;
    await sql`delete from ${sql.table(table)} where ${sql.raw(old.where)}`.execute(db);
  }
}
