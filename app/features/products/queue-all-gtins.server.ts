import { sql } from 'kysely';
import type { Db } from '#database/connect.ts';

/** Queues all GTINs for comparison by the job. */
export async function queueAllGtins(db: Db): Promise<void> {
  await sql`
    insert into match_checks (gtin) select distinct gtin from deals where gtin is not null order by 1`.execute(
    db,
  );
}
