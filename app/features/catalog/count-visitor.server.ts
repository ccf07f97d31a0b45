import { sql } from 'kysely';
import type { Tx } from '#database/connect.ts';

/** A table with a column `visitors`, and the table of the visitors who were counted. */
interface Counted {
  table: string;
  key: string;
  visitors: string;
  /** The column of `visitors` that refers to `key`. */
  reference: string;
}

/** Counts a visitor of a row once, even after a change of the salt (`visitorTokens`). */
export async function countVisitor(
  tx: Tx,
  counted: Counted,
  value: string | number,
  { mark, marks }: { mark: string; marks: string[] },
): Promise<void> {
  const [table, visitors] = [sql.table(counted.table), sql.table(counted.visitors)];
  const [key, reference] = [sql.ref(counted.key), sql.ref(counted.reference)];
  await sql`
    with new as (
      insert into ${visitors} (${reference}, mark)
      select ${key}, ${mark} from ${table}
       where ${key} = ${value} and not exists (
         select from ${visitors} where ${reference} = ${value} and mark = any(${marks}::text[]))
      on conflict do nothing returning ${reference} as counted)
    update ${table} set visitors = visitors + 1 from new where ${key} = new.counted`.execute(tx);
}
