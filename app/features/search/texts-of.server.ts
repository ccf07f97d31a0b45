import { type RawBuilder, sql } from 'kysely';

/**
 * Joins the texts of deals that are already chosen, one after the other. Without the offset the planner may look up the
 * words first, among all deals.
 */
export function textsOf(id: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`cross join lateral (select * from deal_texts where deal_id = ${id} offset 0) texts`;
}
