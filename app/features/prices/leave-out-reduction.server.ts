import { sql } from 'kysely';
import type { Db } from '#database/connect.ts';
import { writeAudit } from '#app/platform/audit/audit.server.ts';
import type { LeaveOutReason } from '#database/schema/catalog-tables.ts';

interface OfReduction {
  merchantId: number;
  dealId: number;
  beganAt: Date;
  actor: string;
}

/**
 * Excludes a reduction from its store's statistics because of an error in the feed, or includes it
 * again if `reason` is null. The statistics are updated immediately. Returns whether anything
 * changed.
 */
export function leaveOutReduction(
  db: Db,
  { merchantId, dealId, beganAt, actor }: OfReduction,
  reason: LeaveOutReason | null,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    // Browsers store times in milliseconds, and the database in microseconds.
    const isIt = sql<boolean>`merchant_id = ${merchantId} and deal_id = ${dealId} and date_trunc('milliseconds', began_at) = ${beganAt}`;
    const row = await tx
      .selectFrom('reduction_checks')
      .select('left_out')
      .where(isIt)
      .forUpdate()
      .executeTakeFirst();
    if (!row || (row.left_out === null) === (reason === null)) return false;
    await tx.updateTable('reduction_checks').set({ left_out: reason }).where(isIt).execute();
    await sql`select count_store_checks(array[${merchantId}::bigint])`.execute(tx);
    const began = beganAt.toISOString();
    await writeAudit(tx, {
      actor,
      action: reason === null ? 'deal.count-reduction' : 'deal.leave-out-reduction',
      entity: 'deal',
      entityId: dealId,
      before: { began_at: began, left_out: row.left_out },
      after: { began_at: began, left_out: reason },
    });
    return true;
  });
}
