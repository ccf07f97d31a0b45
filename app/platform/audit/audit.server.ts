import { isDeepStrictEqual } from 'node:util';
import type { Db } from '#database/connect.ts';

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
 * Normalizes a value as JSON stores it: times become text, and the order of an object's fields is
 * ignored.
 */
function asStored(value: unknown): unknown {
  const json: string | undefined = JSON.stringify(value);
  return json === undefined ? undefined : JSON.parse(json);
}
