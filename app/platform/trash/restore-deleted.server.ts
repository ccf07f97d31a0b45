import { sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { refuseKnown } from '#database/refuse-known.ts';
import { cutText } from '#app/platform/cut-text.ts';
import { writeAudit } from '../audit/audit.server.ts';

export type RestoreResult =
  | { ok: true }
  | { ok: false; reason: 'too-late' | 'slug-taken' | 'there-again' };

/** characters; the audit entry contains no more of a text */
const mostAudited = 500;

interface KeptRow {
  table: string;
  entity: string;
  id: number;
  actor: string;
  /** The unique index whose violation means `slug-taken`, by default that of `slug`. */
  unique?: string;
}

/** Undoes a deletion by the same user within an hour. */
export async function restoreDeleted(
  db: Db,
  { table, entity, id, actor, unique = `${table}_slug_key` }: KeptRow,
): Promise<RestoreResult> {
  const refusals = { [unique]: 'slug-taken', [`${table}_pkey`]: 'there-again' } as const;
  return refuseKnown(db, refusals, async (tx): Promise<RestoreResult> => {
    const entry = await ask(tx).value<number>`
      select id from deleted_rows
       where entity = ${entity} and row_id = ${id} and deleted_by = ${actor}
         and deleted_at > now() - interval '1 hour'
       order by id desc limit 1`;
    if (entry === null) {
      const isThere = await ask(tx).value`select id from ${sql.table(table)} where id = ${id}`;
      return { ok: false, reason: isThere === null ? 'too-late' : 'there-again' };
    }
    await restoreEntry(tx, { entry, entity, id, actor });
    return { ok: true };
  });
}

interface RestoredEntry {
  entry: number;
  entity: string;
  id: number;
  actor: string;
  /** The columns that the audit entry contains, all by default. */
  logged?: readonly string[] | undefined;
}

/** Restores an entry of the trash, with changed columns, and writes the audit entry. */
export async function restoreEntry(
  tx: Db,
  { entry, entity, id, actor, logged }: RestoredEntry,
  changed: object = {},
): Promise<void> {
  const row = await ask(tx).value<object>`
    select kept -> 0 from deleted_row_parts where deleted_id = ${entry} and place = 0`;
  await ask(tx).value`select restore_kept(${entry}::bigint, ${JSON.stringify(changed)}::jsonb)`;
  const after = Object.fromEntries(
    Object.entries({ ...row, ...changed })
      .filter(([name]) => !logged || logged.includes(name))
      .map(([name, value]) => [
        name,
        typeof value === 'string' ? cutText(value, mostAudited) : value,
      ]),
  );
  await writeAudit(tx, { actor, action: `${entity}.restore`, entity, entityId: id, after });
}
