import { sql } from 'kysely';
import type { Db, Tx } from '#database/connect.ts';
import { findFreeDealSlug } from './find-free-deal-slug.server.ts';

/**
 * Deletes deals; all that hangs on them goes, too (`delete_deals`). What they were is kept for an hour under
 * `batch`, for `restoreDeals`. Answers those that were there.
 */
export async function deleteDeals(
  tx: Tx,
  { ids, batch, actor }: { ids: number[]; batch: string; actor: string },
): Promise<{ id: number; title: string }[]> {
  const { rows } = await sql<{ id: number; title: string }>`
    select deal_id as id, deal_title as title
      from delete_deals(${ids}::bigint[], ${batch}::uuid, ${actor})`.execute(tx);
  return rows;
}

export type RestoreFailure =
  | 'too-late'
  | 'imported-again'
  | 'no-such-merchant'
  | 'no-such-category';
export interface RestoreResult {
  restored: number[];
  failures: { id: number; reason: RestoreFailure }[];
}

/**
 * Undoes a deletion, with everything that went with the deals. One that cannot come back keeps none of the others
 * from it. A slug that another deal took meanwhile is not taken away from it.
 */
export async function restoreDeals(
  tx: Tx,
  { ids, batch }: { ids: number[]; batch: string },
): Promise<RestoreResult> {
  const kept = await tx
    .selectFrom('deleted_deals')
    .select(['id', 'deal_id', sql<string>`snapshot #>> '{deals,0,slug}'`.as('slug')])
    .where('batch', '=', batch)
    .where('deal_id', 'in', ids)
    .orderBy('id')
    .forUpdate()
    .execute();
  const result: RestoreResult = { restored: [], failures: [] };
  for (const { id, deal_id, slug } of kept) {
    const reason = await restoreOne(tx, { id, slug });
    if (reason) result.failures.push({ id: deal_id, reason });
    else result.restored.push(deal_id);
  }
  const known = new Set(kept.map((row) => row.deal_id));
  for (const id of ids) {
    if (!known.has(id)) result.failures.push({ id, reason: 'too-late' });
  }
  return result;
}

export async function listBatch(db: Db, batch: string): Promise<number[]> {
  const rows = await db
    .selectFrom('deleted_deals')
    .select('deal_id')
    .where('batch', '=', batch)
    .orderBy('deal_id')
    .execute();
  return rows.map((row) => row.deal_id);
}

const refusals: Record<string, RestoreFailure> = {
  deals_pkey: 'too-late',
  deals_merchant_id_external_id_key: 'imported-again',
  deals_merchant_id_fkey: 'no-such-merchant',
  deals_category_id_fkey: 'no-such-category',
};

async function restoreOne(
  tx: Tx,
  { id, slug }: { id: number; slug: string },
): Promise<RestoreFailure | null> {
  await sql`savepoint restore_deal`.execute(tx);
  try {
    const free = await findFreeDealSlug(tx, { slug, title: slug });
    await sql`select restore_deal(snapshot, ${free}) from deleted_deals where id = ${id}`.execute(
      tx,
    );
    await tx.deleteFrom('deleted_deals').where('id', '=', id).execute();
    await sql`release savepoint restore_deal`.execute(tx);
    return null;
  } catch (error) {
    await sql`rollback to savepoint restore_deal`.execute(tx);
    const constraint = error instanceof Error && 'constraint' in error ? error.constraint : null;
    const reason = typeof constraint === 'string' ? refusals[constraint] : undefined;
    if (!reason) throw error;
    return reason;
  }
}
