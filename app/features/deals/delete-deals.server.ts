import { sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db, Tx } from '#database/connect.ts';
import { refuseKnown } from '#database/refuse-known.ts';
import { findFreeDealSlug } from './find-free-deal-slug.server.ts';
import { lockProducts } from './lock-products.server.ts';

/**
 * Deletes deals with everything that refers to them, and returns those that existed. Deleted deals
 * are kept in the trash under `batch`, for `restoreDeals`.
 */
export async function deleteDeals(
  tx: Tx,
  { ids, batch, actor }: { ids: number[]; batch: string; actor: string },
): Promise<{ id: number; title: string }[]> {
  return ask(tx).rows<{ id: number; title: string }>`
    select deal_id as id, deal_title as title
      from delete_deals(${ids}::bigint[], ${batch}::uuid, ${actor})`;
}

const refusals = {
  deals_pkey: 'too-late',
  deals_merchant_id_external_id_key: 'imported-again',
  deals_merchant_id_fkey: 'no-such-merchant',
  deals_category_id_fkey: 'no-such-category',
} as const;
export type RestoreFailure = (typeof refusals)[keyof typeof refusals];

/**
 * Undoes a deletion. A deal that cannot be restored does not prevent the others. A deal whose slug
 * was taken gets a new one.
 */
export async function restoreDeals(tx: Tx, { ids, batch }: { ids: number[]; batch: string }) {
  await lockProducts(tx); // A concurrent merge would miss the restored offers.
  const kept = await tx
    .selectFrom('deleted_deals')
    .select(['id', 'deal_id', sql<string>`snapshot #>> '{deals,0,slug}'`.as('slug')])
    .where('batch', '=', batch)
    .where('deal_id', 'in', ids)
    .orderBy('id')
    .forUpdate()
    .execute();
  const restored: number[] = [];
  const failures: { id: number; reason: RestoreFailure }[] = [];
  for (const { id, deal_id, slug } of kept) {
    const reason = await restoreOne(tx, { id, slug });
    if (reason) failures.push({ id: deal_id, reason });
    else restored.push(deal_id);
  }
  const known = new Set(kept.map((row) => row.deal_id));
  for (const id of ids) {
    if (!known.has(id)) failures.push({ id, reason: 'too-late' });
  }
  return { restored, failures };
}

/** Lists the deals of a deletion. If `canUndo`, only deals deleted within the last hour. */
export function listBatch(db: Db, batch: string, canUndo: boolean) {
  const since = canUndo ? sql`now() - interval '1 hour'` : sql`'-infinity'`;
  return ask(db).column<number>`
    select deal_id from deleted_deals where batch = ${batch} and deleted_at > ${since} order by deal_id`;
}

async function restoreOne(tx: Tx, { id, slug }: { id: number; slug: string }) {
  const result = await refuseKnown(tx, refusals, async () => {
    const free = await findFreeDealSlug(tx, { slug, title: slug });
    await sql`select restore_deal(snapshot || jsonb_build_object('currency', currency), ${free}, id) from deleted_deals where id = ${id}`.execute(
      tx,
    );
    await tx.deleteFrom('deleted_deals').where('id', '=', id).execute();
    return { ok: true } as const;
  });
  return result.ok ? null : result.reason;
}
