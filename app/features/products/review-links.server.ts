import { sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db, Tx } from '#database/connect.ts';
import { writeAudit } from '#app/platform/audit/audit.server.ts';
import { addProducts } from './add-products.server.ts';
import { productGtin } from './product-gtin.ts';

/** links of a new store that staff review before its other deals link by themselves */
const linksOfNewStore = 50;

/**
 * Makes two deals with the same GTIN offers of one product. Returns `false` if they are not two
 * such deals, or are offers of it already.
 */
export function linkDeals(db: Db, actor: string, oneId: number, otherId: number): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const [one, ...others] = await ask(tx).rows<{ gtin: string; title: string }>`
      select a.gtin, d.title from deals a join deals b on b.gtin = a.gtin and b.id <> a.id
        join deals d on d.id in (a.id, b.id)
       where a.id = ${oneId} and b.id = ${otherId} and (a.product_id is null or a.product_id is distinct from b.product_id)
       order by length(d.title), d.id for update of d`;
    if (!one || others.length === 0 || productGtin(one.gtin) === null) return false;
    await addProducts(tx, [one]);
    const ids = [oneId, otherId];
    await sql`
      delete from duplicate_dismissals
       where deal_id = any(${ids}::bigint[]) and other_id = any(${ids}::bigint[])`.execute(tx);
    await asActor(tx, actor, async () => {
      await sql`
        update deals set product_id = (select id from products where gtin = ${one.gtin})
         where id = any(${ids}::bigint[])`.execute(tx);
    });
    await trustStores(tx, ids);
    const entry = { actor, action: 'deal.link', entity: 'deal', entityId: oneId };
    await writeAudit(tx, { ...entry, after: { other: otherId } });
    return true;
  });
}

/** Records the actor in the log of links. */
async function asActor(tx: Tx, actor: string, change: () => Promise<void>): Promise<void> {
  await sql`select set_config('app.links_products', ${actor}, true)`.execute(tx);
  await change();
  await sql`select set_config('app.links_products', '', true)`.execute(tx);
}

/** Lets all deals of a store link by their GTIN once enough of its links were reviewed. */
async function trustStores(tx: Tx, ids: number[]): Promise<void> {
  await sql`
    with trusted as (
      update merchants m set matches_freely = true
       where not matches_freely and id in (select merchant_id from deals where id = any(${ids}::bigint[]))
         and ${linksOfNewStore} <= (
           select count(distinct l.deal_id) from product_links l join deals d on d.id = l.deal_id
            where d.merchant_id = m.id and l.to_product is not null and l.actor is not null)
      returning id)
    insert into match_checks (gtin)
      select distinct gtin from deals where merchant_id in (select id from trusted) and gtin is not null order by 1`.execute(
    tx,
  );
}

/**
 * Takes a deal out of its product, and remembers that it differs from each other offer, so that no
 * import links it again. Returns `false` if it is no offer.
 */
export function splitDeal(db: Db, actor: string, id: number): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const product = await ask(tx).value<number>`
      select product_id from deals where id = ${id} and product_id is not null for update`;
    if (product === null) return false;
    await sql`
      insert into duplicate_dismissals (deal_id, other_id)
        select least(id, ${id}), greatest(id, ${id}) from deals where product_id = ${product} and id <> ${id}
      on conflict do nothing`.execute(tx);
    await asActor(tx, actor, async () => {
      await sql`update deals set product_id = null where id = ${id}`.execute(tx);
    });
    const entry = { actor, action: 'deal.split', entity: 'deal', entityId: id };
    await writeAudit(tx, { ...entry, before: { product } });
    return true;
  });
}

/**
 * Undoes the last split of a deal with the refusals that it left. Returns `false` if the last
 * change of its link was no split, or its GTIN changed since.
 */
export function undoSplit(db: Db, actor: string, id: number): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const split = await findSplit(tx, id);
    if (!split) return false;
    await sql`
      delete from duplicate_dismissals
       where (deal_id = ${id} or other_id = ${id}) and at = ${split.at}::timestamptz`.execute(tx);
    await asActor(tx, actor, async () => {
      await sql`update deals set product_id = ${split.product} where id = ${id}`.execute(tx);
    });
    // The last other offer may have left the product in the meantime.
    await sql`
      insert into match_checks (gtin) select gtin from products where id = ${split.product}`.execute(
      tx,
    );
    const entry = { actor, action: 'deal.undo-split', entity: 'deal', entityId: id };
    await writeAudit(tx, { ...entry, after: { product: split.product } });
    return true;
  });
}

/** A split that may be undone, since nothing linked the deal again and its GTIN is the same. */
async function findSplit(db: Db, id: number) {
  return ask(db).row<{ product: number; slug: string; title: string; at: string }>`
    select p.id as product, p.slug, p.title, l.at::text as at
      from (select * from product_links where deal_id = ${id} order by id desc limit 1) l
      join deals d on d.id = l.deal_id and d.product_id is null
      join products p on p.id = l.from_product and p.gtin = d.gtin
     where l.to_product is null and l.actor is not null`;
}

/** The product of a deal as staff see it. */
export interface ProductOfDeal {
  slug: string;
  title: string;
  /** Whether staff took the deal out of it. */
  isSplit: boolean;
}

/** Returns the product that a deal is part of, or that staff took it out of, or `null`. */
export async function findLinkedProduct(db: Db, id: number): Promise<ProductOfDeal | null> {
  const linked = await ask(db).row<{ slug: string; title: string }>`
    select p.slug, p.title from deals d join products p on p.id = d.product_id where d.id = ${id}`;
  if (linked) return { ...linked, isSplit: false };
  const split = await findSplit(db, id);
  return split && { slug: split.slug, title: split.title, isSplit: true };
}
