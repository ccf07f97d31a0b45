import { sql } from 'kysely';
import { lockProducts } from '#app/features/deals/lock-products.server.ts';
import { ask } from '#database/ask.ts';
import type { Db, Tx } from '#database/connect.ts';
import { writeAudit } from '#app/platform/audit/audit.server.ts';
import { addProduct, shortestTitle } from './add-products.server.ts';
import {
  findHolders,
  type LinkedDeal,
  linkTo,
  lockDeals,
  performAct,
  planJoin,
  planLeave,
} from './change-products.server.ts';
import { mergeInto } from './merge-products.server.ts';

/** links of a new store that staff review before its other deals are linked automatically */
const linksOfNewStore = 50;

/**
 * Makes two deals offers of one product, regardless of their GTINs, and merges their products if
 * each has one. Returns `false` if a deal is missing, or if both are already offers of one product.
 */
export async function linkDeals(
  db: Db,
  actor: string,
  oneId: number,
  otherId: number,
): Promise<boolean> {
  const act = await db.transaction().execute((tx) => linkLocked(tx, actor, oneId, otherId));
  return act !== null;
}

/** Links two deals within a transaction. Returns the act. */
export async function linkLocked(
  tx: Tx,
  actor: string,
  oneId: number,
  otherId: number,
): Promise<number | null> {
  await lockProducts(tx);
  const deals = await lockDeals(tx, [oneId, otherId]);
  const [one, other] = [deals.get(oneId), deals.get(otherId)];
  if (!one || !other || one === other) return null;
  if (one.product !== null && one.product === other.product) return null;
  const act = await joinProducts(tx, actor, [one, other], [...deals.values()]);
  await trustStores(tx, [oneId, otherId]);
  const entry = { actor, action: 'deal.link', entity: 'deal', entityId: oneId };
  await writeAudit(tx, { ...entry, after: { other: otherId } });
  return act;
}

async function joinProducts(
  tx: Tx,
  actor: string,
  [one, other]: readonly [LinkedDeal, LinkedDeal],
  all: readonly LinkedDeal[],
): Promise<number> {
  if (one.product !== null && other.product !== null) {
    const [into, from] = largestFirst([one.product, other.product], all);
    return mergeInto(tx, actor, { from, into }, all);
  }
  const product = one.product ?? other.product ?? (await findEmptyProduct(tx, [one, other]));
  const joining = [one, other].filter((deal) => deal.product !== product);
  const changes = await planJoin(tx, joining, product, all);
  return performAct(tx, { kind: 'link', actor, product, changes });
}

/** Returns two products, the one with more offers first, or else the older one. */
function largestFirst(
  [one, other]: readonly [number, number],
  deals: readonly LinkedDeal[],
): [number, number] {
  const offersOf = (product: number) => deals.filter((deal) => deal.product === product).length;
  const more = offersOf(one) - offersOf(other);
  return more > 0 || (more === 0 && one < other) ? [one, other] : [other, one];
}

/** Returns a product without offers that has the GTIN of a deal, or else a new one. */
async function findEmptyProduct(tx: Tx, deals: readonly LinkedDeal[]): Promise<number> {
  const holders = await findHolders(
    tx,
    deals.map(({ gtin }) => gtin),
  );
  const products = [...holders.values()].filter((holder) => typeof holder === 'number');
  const empty = await ask(tx).value<number>`
    select id from unnest(${products}::bigint[]) id
     where not exists (select from deals where product_id = id) order by id limit 1`;
  return empty ?? addProduct(tx, shortestTitle(deals.map(({ title }) => title)));
}

/** Allows all deals of a store to be linked by GTIN once enough of its links were reviewed. */
async function trustStores(tx: Tx, ids: number[]): Promise<void> {
  await sql`
    update merchants m set matches_freely = true
     where not matches_freely and id in (select merchant_id from deals where id = any(${ids}::bigint[]))
       and ${linksOfNewStore} <= (select count(*) from deals d where d.merchant_id = m.id and d.product_confirmed)`.execute(
    tx,
  );
}

/**
 * Removes a deal from its product, and records that it differs from each other offer, so that no
 * import links it again. Returns the act, or `null` if the deal is not an offer.
 */
export function splitDeal(db: Db, actor: string, id: number): Promise<number | null> {
  return db.transaction().execute(async (tx) => {
    await lockProducts(tx);
    const deals = await lockDeals(tx, [id]);
    const deal = deals.get(id);
    if (!deal || deal.product === null) return null;
    const { product } = deal;
    const changes = await planLeave(tx, deal, [...deals.values()]);
    const act = await performAct(tx, { kind: 'split', actor, product, changes });
    const entry = { actor, action: 'deal.split', entity: 'deal', entityId: id };
    await writeAudit(tx, { ...entry, before: { product } });
    return act;
  });
}

/**
 * Makes a deal an offer of a product, regardless of its GTIN, instead of its current product.
 * Returns the act, or `null` if the deal or product is missing, or if the product was merged or
 * already has the deal.
 */
export function moveDeal(
  db: Db,
  actor: string,
  id: number,
  product: number,
): Promise<number | null> {
  return db.transaction().execute(async (tx) => {
    await lockProducts(tx);
    const isProduct = await ask(tx).value<boolean>`
      select merged_into is null from products where id = ${product}`;
    const deals = await lockDeals(tx, [id], [product]);
    const deal = deals.get(id);
    if (!isProduct || !deal || deal.product === product) return null;
    const all = [...deals.values()];
    const join = await planJoin(tx, [deal], product, all);
    const from = deal.product;
    const leave = from === null ? null : await planLeave(tx, deal, all);
    const changes = {
      ...join,
      deals: [linkTo(deal, product)],
      gtins: [...join.gtins, ...(leave?.gtins ?? []).map((change) => ({ ...change, to: product }))],
      refusals: [...join.refusals, ...(leave?.refusals ?? [])],
    };
    const kind = from === null ? 'link' : 'move';
    const act = await performAct(tx, { kind, actor, product, other: from, changes });
    await trustStores(tx, [id]);
    const entry = { actor, action: 'deal.move', entity: 'deal', entityId: id };
    await writeAudit(tx, { ...entry, before: { product: from }, after: { product } });
    return act;
  });
}

/** The product of a deal, with the data for staff. */
export interface ProductOfDeal {
  id: number;
  slug: string;
  title: string;
  /** The act that removed the deal from the product, which can be undone. */
  splitBy: number | null;
}

/** Returns the product that a deal belongs to or that staff removed it from, or `null`. */
export async function findLinkedProduct(db: Db, id: number): Promise<ProductOfDeal | null> {
  return ask(db).row<ProductOfDeal>`
    select p.id, p.slug, p.title, split.id as "splitBy"
      from deals d
      left join lateral (
        select a.id, a.product_id
          from (select * from product_links l where l.deal_id = d.id order by l.id desc limit 1) l
          join product_acts a on a.id = l.act_id and a.kind = 'split') split on d.product_id is null
      join products p on p.id = coalesce(d.product_id, split.product_id)
     where d.id = ${id} and p.merged_into is null`;
}
