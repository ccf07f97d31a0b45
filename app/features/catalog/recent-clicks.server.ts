import { type RawBuilder, sql } from 'kysely';
import type { ClickPlace } from '#database/schema/catalog-tables.ts';

/** Returns the clicks of the last 30 days in a scope whose id is in this column. */
export function recentClicksOf(kind: ClickPlace, id: string): RawBuilder<number> {
  return sql<number>`coalesce((
    select sum(clicked.count)::integer from click_days clicked
     where clicked.kind = ${sql.lit(kind)} and clicked.place_id = ${sql.ref(id)}
       and clicked.day > (now() at time zone 'UTC')::date - 30), 0)`;
}
