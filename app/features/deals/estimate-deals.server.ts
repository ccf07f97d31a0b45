import { type RawBuilder, sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';

interface Explained {
  'QUERY PLAN': { Plan: { 'Plan Rows': number } }[];
}

/**
 * Returns how many rows of the table the planner expects to match, from its statistics (under a
 * millisecond). The estimate chooses a query and is never shown.
 */
export async function estimateDeals(
  db: Db,
  condition: RawBuilder<boolean>,
  table: 'deals' | 'deal_texts' = 'deal_texts',
): Promise<number> {
  const rows = await ask(db)
    .rows<Explained>`explain (format json) select from ${sql.table(table)} where ${condition}`;
  return rows[0]?.['QUERY PLAN'][0]?.Plan['Plan Rows'] ?? 0;
}
