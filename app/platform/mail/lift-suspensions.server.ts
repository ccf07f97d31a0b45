import { sql } from 'kysely';
import { writeAudit } from '#app/platform/audit/audit.server.ts';
import type { Db } from '#database/connect.ts';
import { liftOf, matchingSuspensions } from './suspension-queries.server.ts';
import type { SuspensionQuery } from './suspension-table.ts';

/** The selected rows, or all rows of a list with the row count that staff confirmed. */
type SuspensionChoice = { ids: number[] } | { filter: SuspensionQuery; expectedCount: number };

/**
 * Lifts the suspension of addresses, so that they get newsletters and alerts again. The audit log
 * stores their number but no addresses.
 */
export function liftSuspensions(
  db: Db,
  actor: string,
  choice: SuspensionChoice,
): Promise<{ ok: true; changed: number } | { ok: false; seen: number; count: number }> {
  return db.transaction().execute(async (tx) => {
    const found =
      'ids' in choice
        ? tx.selectFrom('mail_suspensions').where(sql<boolean>`id = any(${choice.ids})`)
        : matchingSuspensions(tx, choice.filter);
    const rows = await found.select('id').orderBy('id').forUpdate().execute();
    if ('filter' in choice && rows.length !== choice.expectedCount) {
      return { ok: false, seen: choice.expectedCount, count: rows.length };
    }
    const ids = rows.map(({ id }) => id);
    const lifted = await liftOf(tx, actor)
      .where(sql<boolean>`id = any(${ids})`)
      .returning(['id', 'reason'])
      .execute();
    await writeAudit(
      tx,
      lifted.map(({ id, reason }) => ({
        actor,
        action: 'suspended-address.lift',
        entity: 'suspended_address',
        entityId: id,
        before: { reason },
      })),
    );
    return { ok: true, changed: lifted.length };
  });
}
