import { type RawBuilder, sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';

// Actions on many rows can be undone for one hour. Each of their log entries has `batch`, the
// sorted `ids` of a slice, and their former and new `values`.

/** Returns the SQL condition that a batch can still be undone. `batch` is an SQL expression. */
export function isBatchKept(batch: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`exists (select from audit_log where after ->> 'batch' = ${batch} and ${kept})`;
}

const kept = sql`at > now() - interval '1 hour'`;

/** Lists the rows of a batch that can still be undone, ordered by id. */
export function listBatchIds(db: Db, batch: string): Promise<number[]> {
  return ask(db).column<number>`
    select jsonb_array_elements_text(after -> 'ids')::bigint as id from audit_log
     where after ->> 'batch' = ${batch} and ${kept} order by id`;
}

/** Returns the former and new values of rows of a batch, for these sorted ids and a few more. */
export function readBatch<Values>(db: Db, batch: string, ids: readonly number[]) {
  const first = sql`(after -> 'ids' ->> 0)::bigint`;
  const of = sql`after ->> 'batch' = ${batch}`;
  const [least, most] = [ids[0] ?? 0, ids.at(-1) ?? 0];
  // Entries are ordered by id, so a slice begins with the entry before its first id.
  return ask(db).rows<{ at: string; was: Values; is: Values }>`
    select to_jsonb(at) as at, before -> 'values' as was, after -> 'values' as is from audit_log
     where ${of} and ${first} between
           coalesce((select max(${first}) from audit_log where ${of} and ${first} <= ${least}), 0) and ${most}
     order by id`;
}
