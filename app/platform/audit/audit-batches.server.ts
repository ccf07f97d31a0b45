import { type RawBuilder, sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';

// An act on many rows that can be undone for an hour: each of its entries has `batch`, the `ids` of a slice in their order, and
// what these had and got as `values`.

/** Whether the batch, an expression, can still be undone. */
export function isBatchKept(batch: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`exists (select from audit_log where after ->> 'batch' = ${batch} and ${kept})`;
}

const kept = sql`at > now() - interval '1 hour'`;

/** The rows of a batch that can still be undone, in the order of their ids. */
export function listBatchIds(db: Db, batch: string): Promise<number[]> {
  return ask(db).column<number>`
    select jsonb_array_elements_text(after -> 'ids')::bigint as id from audit_log
     where after ->> 'batch' = ${batch} and ${kept} order by id`;
}

/** What rows of a batch had and got, for these ids in their order, and a few more beside them. */
export function readBatch<Values>(db: Db, batch: string, ids: readonly number[]) {
  const first = sql`(after -> 'ids' ->> 0)::bigint`;
  const of = sql`after ->> 'batch' = ${batch}`;
  const [least, most] = [ids[0] ?? 0, ids.at(-1) ?? 0];
  // Entries follow each other in the order of ids: those of a slice begin with the one before its first.
  return ask(db).rows<{ at: string; was: Values; is: Values }>`
    select to_jsonb(at) as at, before -> 'values' as was, after -> 'values' as is from audit_log
     where ${of} and ${first} between
           coalesce((select max(${first}) from audit_log where ${of} and ${first} <= ${least}), 0) and ${most}
     order by id`;
}
