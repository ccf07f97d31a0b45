import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';

/**
 * Stores a row in the trash before it is deleted, with the rows that foreign keys delete with it.
 * Called in the transaction of the deletion.
 */
export async function keepDeleted(
  tx: Db,
  row: { table: string; entity: string; id: number; name: string; actor: string },
): Promise<void> {
  await ask(tx).value<number>`
    select keep_rows(${row.table}::regclass, ${row.id}::bigint, ${row.entity}, ${row.name}, ${row.actor})`;
}
