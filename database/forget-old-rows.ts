import { sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { inBatches } from '#database/in-batches.ts';
import { tableRules } from '#database/table-registry.ts';

/**
 * The number of rows that one statement deletes through an index, and of 8 kB pages that it reads
 * without an index.
 */
const usualLot = { rows: 2_000, pages: 1_000 };

/** Deletes old rows by the rules of `table-registry.ts`, in the tables that `job` maintains. */
export async function forgetOldRows(
  db: Db,
  job: string,
  signal?: AbortSignal,
  lot = usualLot,
): Promise<void> {
  for (const [table, { old }] of Object.entries(tableRules)) {
    if (typeof old === 'string' || old.job !== job) continue;
    const forget = old.hasIndex ? forgetByIndex : forgetByPages;
    await forget(db, table, old.where, lot, signal);
  }
}

type Forget = (
  db: Db,
  table: string,
  where: string,
  lot: typeof usualLot,
  signal?: AbortSignal,
) => Promise<void>;

/**
 * Deletes rows through an index. All old rows are at one end of the index, since none of them are
 * kept.
 */
const forgetByIndex: Forget = (db, table, where, { rows }, signal) =>
  inBatches(signal, async () => {
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)} where ctid = any(array(
        select ctid from ${sql.table(table)} where ${sql.raw(where)} limit ${rows}))`.execute(db);
    return Number(numAffectedRows ?? 0) === rows;
  });

/**
 * Deletes rows by reading the table once, in parts. Used if some old rows are kept, or if an index
 * would cost more than it saves.
 */
const forgetByPages: Forget = async (db, table, where, { pages }, signal) => {
  const size = await ask(db).value<number>`
    select (pg_relation_size(${table}::regclass) / current_setting('block_size')::bigint)::integer`;
  let page = 0;
  await inBatches(signal, async () => {
    const end = page + pages;
    await sql`
      delete from ${sql.table(table)}
       where ctid >= ${`(${page},0)`}::tid and ctid < ${`(${end},0)`}::tid and (${sql.raw(where)})`.execute(
      db,
    );
    page = end;
    return page < (size ?? 0);
  });
};
