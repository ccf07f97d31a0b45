import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#database/connect.ts';

interface Explained {
  'QUERY PLAN': { Plan: { 'Plan Rows': number } }[];
}

/**
 * How many deals the planner expects a condition to match, from its statistics and without looking at the table
 * (under a millisecond). Good enough to choose between two ways of searching, never to be shown.
 */
export async function estimateDeals(db: Db, condition: RawBuilder<boolean>): Promise<number> {
  const { rows } =
    await sql<Explained>`explain (format json) select from deals where ${condition}`.execute(db);
  return rows[0]?.['QUERY PLAN'][0]?.Plan['Plan Rows'] ?? 0;
}
