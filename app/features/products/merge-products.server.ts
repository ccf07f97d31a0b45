import { lockProducts } from '#app/features/deals/lock-products.server.ts';
import { ask } from '#database/ask.ts';
import type { Db, Tx } from '#database/connect.ts';
import { writeAudit } from '#app/platform/audit/audit.server.ts';
import {
  type LinkedDeal,
  linkTo,
  lockDeals,
  performAct,
  planJoin,
} from './change-products.server.ts';

/**
 * Merges a product into another, which gets its offers and GTINs. The URL of the merged product
 * redirects afterward. Returns the act, or `null` if these are not two products, or if one was
 * already merged.
 */
export function mergeProducts(
  db: Db,
  actor: string,
  fromId: number,
  intoId: number,
): Promise<number | null> {
  return db.transaction().execute(async (tx) => {
    await lockProducts(tx);
    const found = await ask(tx).column<number>`
      select id from products where id in (${fromId}, ${intoId}) and merged_into is null`;
    if (found.length < 2) return null;
    const deals = await lockDeals(tx, [], [fromId, intoId]);
    const act = await mergeInto(tx, actor, { from: fromId, into: intoId }, [...deals.values()]);
    const entry = { actor, action: 'product.merge', entity: 'product', entityId: fromId };
    await writeAudit(tx, { ...entry, after: { into: intoId } });
    return act;
  });
}

/** Merges two products whose offers are among `deals`. Requires the products lock. */
export async function mergeInto(
  tx: Tx,
  actor: string,
  { from, into }: { from: number; into: number },
  deals: readonly LinkedDeal[],
): Promise<number> {
  const joining = deals.filter(({ product }) => product === from);
  const join = await planJoin(tx, joining, into, deals);
  const gtins = await ask(tx).column<string>`
    select gtin from product_gtins where product_id = ${from} order by gtin`;
  const changes = {
    ...join,
    gtins: [...join.gtins, ...gtins.map((gtin) => ({ gtin, from, to: into }))],
    merged: [{ id: from, from: null, to: into }],
    variants: await planVariants(tx, from, into),
  };
  return performAct(tx, { kind: 'merge', actor, product: into, other: from, changes });
}

/**
 * Returns the changes that make the variants of a product variants of another, or of the other's
 * main product.
 */
async function planVariants(tx: Tx, from: number, into: number) {
  const rows = await ask(tx).rows<{ id: number; variant_of: number; main: number }>`
    select v.id, v.variant_of, coalesce(nullif(i.variant_of, ${from}), i.id) as main
      from products v, products i
     where i.id = ${into} and v.variant_of is not null and (v.variant_of = ${from} or v.id = ${from}) order by v.id`;
  return rows.map(({ id, variant_of, main }) => ({
    id,
    from: variant_of,
    to: id === from || id === main ? null : main,
  }));
}

/**
 * Marks a GTIN as shared by different products, so that it links no deals. Offers linked by the
 * GTIN are unlinked. Returns the act, or `null` if no product has the GTIN.
 */
export function shareNumber(db: Db, actor: string, gtin: string): Promise<number | null> {
  return db.transaction().execute(async (tx) => {
    await lockProducts(tx);
    const product = await ask(tx).value<number>`
      select product_id from product_gtins where gtin = ${gtin}`;
    if (product === null) return null;
    const deals = [...(await lockDeals(tx, [], [product])).values()];
    const leaving = deals.filter((deal) => !deal.isConfirmed && deal.gtin === gtin);
    const changes = {
      deals: leaving.map((deal) => linkTo(deal, null)),
      gtins: [{ gtin, from: product, to: 'shared' as const }],
      merged: [],
      variants: [],
      refusals: [],
    };
    const act = await performAct(tx, { kind: 'share', actor, product, changes });
    const entry = { actor, action: 'product.share-number', entity: 'product', entityId: product };
    await writeAudit(tx, { ...entry, after: { gtin } });
    return act;
  });
}
