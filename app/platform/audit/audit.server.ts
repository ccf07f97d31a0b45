import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { Db } from '#database/connect.ts';
import { refuseKnown } from '#database/refuse-known.ts';

/** entries per statement, which takes at most 65,535 values */
const entriesAtATime = 5_000;

export interface AuditEntry {
  /** The id of a user, or `cli` or `system`. */
  actor: string;
  /** Entity and verb, such as `deal.update`. */
  action: string;
  entity: string;
  entityId?: string | number | null;
  /** The former and new values: only what changed, never a secret. */
  before?: object | null;
  after?: object | null;
}

/**
 * Logs who did what in the action's own transaction. There is no action without its entry, and no
 * entry without its action.
 */
export async function writeAudit(db: Db, entry: AuditEntry | readonly AuditEntry[]): Promise<void> {
  const rows = [entry].flat().map(({ actor, action, entity, entityId = null, before, after }) => ({
    actor,
    action,
    entity,
    entity_id: entityId === null ? null : String(entityId),
    before: before ? JSON.stringify(before) : null,
    after: after ? JSON.stringify(after) : null,
  }));
  for (let at = 0; at < rows.length; at += entriesAtATime) {
    const some = rows.slice(at, at + entriesAtATime);
    await db.insertInto('audit_log').values(some).execute();
  }
}

/** Returns the fields in which two rows differ, in the form of an audit entry. */
export function changedFields(
  before: object,
  after: object,
): { before: Record<string, unknown>; after: Record<string, unknown> } {
  const was = new Map<string, unknown>(Object.entries(before));
  const changed = Object.entries(after).filter(
    ([name, value]) => !isDeepStrictEqual(asStored(was.get(name)), asStored(value)),
  );
  return {
    before: Object.fromEntries(changed.map(([name]) => [name, was.get(name)])),
    after: Object.fromEntries(changed),
  };
}

/**
 * Normalizes a value as JSON stores it: times become text, and the order of an object's fields does
 * not count.
 */
function asStored(value: unknown): unknown {
  const json: string | undefined = JSON.stringify(value);
  return json === undefined ? undefined : JSON.parse(json);
}

export type RestoreResult =
  | { ok: true }
  | { ok: false; reason: 'too-late' | 'slug-taken' | 'there-again' };

/**
 * Undoes a deletion for its author within the hour. `audited` limits the part of the row that the
 * new entry keeps.
 */
export async function restoreDeleted(
  db: Db,
  {
    table,
    entity,
    id,
    actor,
    unique = `${table}_slug_key`,
  }: { table: string; entity: string; id: number; actor: string; unique?: string },
  audited: (row: object) => object = (row) => row,
): Promise<RestoreResult> {
  const refusals = {
    [unique]: 'slug-taken',
    [`${table}_pkey`]: 'there-again',
  } as const;
  return refuseKnown(db, refusals, async (tx): Promise<RestoreResult> => {
    const entry = await tx
      .selectFrom('audit_log')
      .select('before')
      .where('actor', '=', actor)
      .where('action', '=', `${entity}.delete`)
      .where('entity_id', '=', String(id))
      .where('at', '>', sql<Date>`now() - interval '1 hour'`)
      .orderBy('id', 'desc')
      .executeTakeFirst();
    if (!entry?.before) return { ok: false, reason: 'too-late' };
    const rows = sql.table(table);
    const row = sql`jsonb_populate_record(null::${rows}, ${JSON.stringify(entry.before)}::jsonb)`;
    await sql`insert into ${rows} select * from ${row}`.execute(tx);
    const after = audited(entry.before);
    await writeAudit(tx, { actor, action: `${entity}.restore`, entity, entityId: id, after });
    return { ok: true };
  });
}
