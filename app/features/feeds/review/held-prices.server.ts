import { sql } from 'kysely';
import type { DealColumns } from '#app/features/deals/deal-columns.ts';
import { writeAudit } from '#app/platform/audit/audit.server.ts';
import type { Db } from '#database/connect.ts';

/** A fall of more than 90 % that waits for a person (P7b, R51). Prices in cents. */
export interface HeldPrice extends DealColumns<
  'id' | 'slug' | 'title' | 'deal_url' | 'sale_price'
> {
  merchant: string;
  held_price: number;
  held_at: Date;
}

export async function listHeldPrices(
  db: Db,
  page: { offset: number; limit: number },
): Promise<{ total: number; rows: HeldPrice[] }> {
  const { rows } = await sql<HeldPrice>`
    select d.id, d.slug, d.title, m.name as merchant, d.deal_url, d.sale_price, d.held_price, d.held_at
      from deals d join merchants m on m.id = d.merchant_id
     where d.held_price is not null order by d.held_at desc, d.id desc
     limit ${page.limit} offset ${page.offset}`.execute(db);
  return { total: await countHeldPrices(db), rows };
}

export async function countHeldPrices(db: Db): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from deals where held_price is not null`.execute(db);
  return rows[0]?.n ?? 0;
}

/**
 * Publishes a held price, from which moment it is a price like any other: logged, and told to whoever waits for it.
 * False when the deal no longer waits with this price.
 */
export function approveHeldPrice(
  db: Db,
  actor: string,
  dealId: number,
  heldPrice: number,
): Promise<boolean> {
  return decide(
    db,
    { actor, action: 'deal.approve-price', dealId, heldPrice },
    {
      sale_price: heldPrice,
      price_source: 'feed',
      price_checked_at: sql<Date>`now()`,
      refused_price: null,
    },
  );
}

/** Keeps the old price; the feed may insist on the same one without asking again. */
export function refuseHeldPrice(
  db: Db,
  actor: string,
  dealId: number,
  heldPrice: number,
): Promise<boolean> {
  const act = { actor, action: 'deal.refuse-price', dealId, heldPrice };
  return decide(db, act, { refused_price: heldPrice });
}

async function decide(
  db: Db,
  act: { actor: string; action: string; dealId: number; heldPrice: number },
  change: Record<string, unknown>,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const before = await tx
      .selectFrom('deals')
      .select('sale_price')
      .where('id', '=', act.dealId)
      // A number that no price can be is only another one.
      .where('held_price', '=', sql<number>`${act.heldPrice}::bigint`)
      .forUpdate()
      .executeTakeFirst();
    if (!before) return false;
    await tx
      .updateTable('deals')
      .set({
        ...change,
        held_price: null,
        held_at: null,
        version: sql<number>`version + 1`,
        updated_at: sql<Date>`now()`,
      })
      .where('id', '=', act.dealId)
      .execute();
    await writeAudit(tx, {
      actor: act.actor,
      action: act.action,
      entity: 'deal',
      entityId: act.dealId,
      before: { sale_price: before.sale_price },
      after: { held_price: act.heldPrice },
    });
    return true;
  });
}
