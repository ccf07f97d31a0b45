import { sql } from 'kysely';
import { lockProducts } from '#app/features/deals/lock-products.server.ts';
import { ask } from '#database/ask.ts';
import type { Tx } from '#database/connect.ts';
import { addProduct } from './add-products.server.ts';
import { type LinkedDeal, lockDeals, performAct, planJoin } from './change-products.server.ts';
import { labelOfVariant } from './mark-words.ts';
import { undoLocked } from './undo-product-act.server.ts';

interface VariantRow {
  id: number;
  variant_of: number | null;
  variant_label: string | null;
}

/** The changes that created a variant, from which it can be undone. */
export interface VariantChange {
  main: number;
  variant: number;
  /** The acts that created products for the deals. */
  acts: number[];
  /** The products before the change. */
  products: VariantRow[];
}

/**
 * Makes the second deal's product a variant of the first one's. The label consists of the words in
 * its title that the other title lacks. A deal without a product gets one. Variants are one level
 * deep, so variants of the second product become variants of the first. Returns `null` if a deal
 * is missing, or if both are already variants.
 */
export async function makeVariant(
  tx: Tx,
  actor: string,
  oneId: number,
  otherId: number,
): Promise<VariantChange | null> {
  await lockProducts(tx);
  const deals = await lockDeals(tx, [oneId, otherId]);
  const [one, other] = [deals.get(oneId), deals.get(otherId)];
  if (!one || !other || one === other) return null;
  const acts: number[] = [];
  const first = await productOf(tx, actor, one, acts);
  const variant = await productOf(tx, actor, other, acts);
  const main =
    (await ask(tx)
      .value<number>`select coalesce(variant_of, id) from products where id = ${first}`) ?? first;
  const products = await ask(tx).rows<VariantRow>`
    select id, variant_of, variant_label from products
     where id in (${main}, ${variant}) or variant_of = ${variant} order by id`;
  const known = products.find(({ id }) => id === variant);
  if (main === variant || known?.variant_of === main) return null;
  await sql`
    update products
       set variant_of = ${main}, variant_label = case when id = ${variant} then ${labelOfVariant(other.title, one.title)} else variant_label end
     where id = ${variant} or variant_of = ${variant}`.execute(tx);
  await sql`
    update products set variant_label = ${labelOfVariant(one.title, other.title)}
     where id = ${first} and variant_label is null`.execute(tx);
  return { main, variant, acts, products };
}

/** Returns a deal's product, or creates one for the deal alone. */
async function productOf(tx: Tx, actor: string, deal: LinkedDeal, acts: number[]): Promise<number> {
  if (deal.product !== null) return deal.product;
  const product = await addProduct(tx, deal.title);
  const changes = await planJoin(tx, [deal], product, []);
  acts.push(await performAct(tx, { kind: 'link', actor, product, changes }));
  return product;
}

/**
 * Undoes a variant in a transaction that holds the lock of products. Returns `false` if the products
 * changed since.
 */
export async function undoVariant(tx: Tx, actor: string, change: VariantChange): Promise<boolean> {
  const { main, variant, products, acts } = change;
  const isAsLeft = await ask(tx).value<boolean>`
    select true from products where id = ${variant} and variant_of = ${main}`;
  if (!isAsLeft) return false;
  await sql`
    update products p set variant_of = r.variant_of, variant_label = r.variant_label
      from jsonb_to_recordset(${JSON.stringify(products)}::jsonb) r (id bigint, variant_of bigint, variant_label text)
     where p.id = r.id`.execute(tx);
  for (const act of acts.toReversed()) await undoLocked(tx, actor, act);
  return true;
}
