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
 * The answer to a held price. Approved, it is a price like any other from that moment: logged, and told to whoever waits
 * for it. Refused, the old one stays, and the feed may insist on the same one without asking again. False when the deal
 * no longer waits with this price.
 */
export async function decideHeldPrice(
  db: Db,
  actor: string,
  answer: 'approve' | 'refuse',
  dealId: number,
  heldPrice: number,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const before = await tx
      .selectFrom('deals')
      .select('sale_price')
      .where('id', '=', dealId)
      // As bigint, so that a number too large for a price matches nothing instead of failing.
      .where('held_price', '=', sql<number>`${heldPrice}::bigint`)
      .forUpdate()
      .executeTakeFirst();
    if (!before) return false;
    const now = sql<Date>`now()`;
    const approved = { sale_price: heldPrice, price_checked_at: now, refused_price: null };
    await tx
      .updateTable('deals')
      .set(
        answer === 'approve' ? { ...approved, price_source: 'feed' } : { refused_price: heldPrice },
      )
      .set({ held_price: null, held_at: null, updated_at: now, version: sql`version + 1` })
      .where('id', '=', dealId)
      .execute();
    const act = { actor, action: `deal.${answer}-price`, entity: 'deal', entityId: dealId };
    await writeAudit(tx, { ...act, before, after: { held_price: heldPrice } });
    return true;
  });
}
