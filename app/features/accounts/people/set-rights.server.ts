import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#database/connect.ts';

/** The rights of a user's custom set, `null` without one. `table` is the alias of `users`. */
export const setRightsOf = (table: string): RawBuilder<string[] | null> =>
  ofSet<string[]>('rights', table);

/** The name of the custom set of a user or invitation, `null` without one. */
export const setNameOf = (table: string): RawBuilder<string | null> => ofSet<string>('name', table);

function ofSet<Value>(column: string, table: string): RawBuilder<Value | null> {
  const set = sql.ref(`${table}.right_set`);
  // Users without a set skip the query.
  return sql<Value | null>`case when ${set} is not null
    then (select r.${sql.ref(column)} from right_sets r where r.id::text = ${set}) end`;
}

/** Returns the rights of a custom set, or `null` if there is no such set. */
export async function findSetRights(db: Db, set: string | null): Promise<string[] | null> {
  if (set === null || !/^\d{1,15}$/.test(set)) return null;
  const found = await db
    .selectFrom('right_sets')
    .select('rights')
    .where('id', '=', Number(set))
    .executeTakeFirst();
  return found?.rights ?? null;
}
