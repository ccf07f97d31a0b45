import { sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Tx } from '#database/connect.ts';
import { productGtin } from './product-gtin.ts';

/** The product that has a GTIN, `shared` if different products have it, or `null`. */
export type Holder = number | 'shared' | null;

/** The data of a deal that its link to a product depends on. */
export interface LinkedDeal {
  id: number;
  gtin: string | null;
  title: string;
  product: number | null;
  /** Whether staff linked the deal. */
  isConfirmed: boolean;
}

interface DealChange {
  id: number;
  gtin: string | null;
  from: number | null;
  to: number | null;
  wasConfirmed: boolean;
  isConfirmed: boolean;
}

interface RowChange {
  id: number;
  from: number | null;
  to: number | null;
}

/** All changes made by an action of staff, with the values before and after. */
export interface ProductChanges {
  deals: DealChange[];
  gtins: { gtin: string; from: Holder; to: Holder }[];
  /** Changes to `products.merged_into`. */
  merged: RowChange[];
  /** Changes to `products.variant_of`. */
  variants: RowChange[];
  /** Pairs that are declared different, or no longer declared so. */
  refusals: { deal: number; other: number; isRefused: boolean }[];
}

/** An action by staff that can be undone. */
export interface ProductAct {
  kind: 'link' | 'split' | 'move' | 'merge' | 'share' | 'undo';
  actor: string;
  product: number | null;
  other?: number | null;
  undoes?: number;
  changes: ProductChanges;
}

/** Records and performs an action. Requires the products lock. Returns the action's id. */
export async function performAct(tx: Tx, act: ProductAct): Promise<number> {
  const { kind, actor, product, other = null, undoes = null, changes } = act;
  const text = JSON.stringify(changes);
  const id = await ask(tx).value<number>`
    insert into product_acts (kind, product_id, other_id, undoes, changes, actor)
      values (${kind}, ${product}, ${other}, ${undoes}, ${text}::jsonb, ${actor}) returning id`;
  await changeProductRows(tx, changes);
  await sql`select set_config('app.links_products', ${actor}, true), set_config('app.product_act', ${String(id)}, true)`.execute(
    tx,
  );
  await sql`
    update deals d set product_id = c."to", product_confirmed = c."isConfirmed"
      from jsonb_to_recordset(${text}::jsonb -> 'deals') c (id bigint, "to" bigint, "isConfirmed" boolean)
     where d.id = c.id`.execute(tx);
  await sql`select set_config('app.links_products', '', true), set_config('app.product_act', '', true)`.execute(
    tx,
  );
  await changeRefusals(tx, changes);
  await queueProducts(tx, changes);
  return id ?? 0;
}

async function changeProductRows(tx: Tx, { gtins, merged, variants }: ProductChanges) {
  const given = sql`jsonb_to_recordset(${JSON.stringify(gtins)}::jsonb) c (gtin text, "to" text)`;
  await sql`
    delete from product_gtins g using ${given} where g.gtin = c.gtin and c."to" is null`.execute(
    tx,
  );
  await sql`
    insert into product_gtins (gtin, product_id)
      select gtin, nullif("to", 'shared')::bigint from ${given} where "to" is not null
    on conflict (gtin) do update set product_id = excluded.product_id`.execute(tx);
  for (const [column, rows] of [
    ['merged_into', merged],
    ['variant_of', variants],
  ] as const) {
    await sql`
      update products p set ${sql.ref(column)} = c."to"
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) c (id bigint, "from" bigint, "to" bigint)
       where p.id = c.id and p.${sql.ref(column)} is not distinct from c."from"`.execute(tx);
  }
}

async function changeRefusals(tx: Tx, { refusals }: ProductChanges): Promise<void> {
  const given = sql`jsonb_to_recordset(${JSON.stringify(refusals)}::jsonb) c (deal bigint, other bigint, "isRefused" boolean)`;
  await sql`
    delete from duplicate_dismissals x using ${given}
     where not c."isRefused" and x.deal_id = c.deal and x.other_id = c.other`.execute(tx);
  await sql`
    insert into duplicate_dismissals (deal_id, other_id)
      select c.deal, c.other from ${given} where c."isRefused"
         and exists (select from deals where id = c.deal) and exists (select from deals where id = c.other)
    on conflict do nothing`.execute(tx);
}

/** Queues these products, so that the job compares their other deals again. */
async function queueProducts(tx: Tx, { deals, gtins }: ProductChanges): Promise<void> {
  const products = [...deals, ...gtins]
    .flatMap(({ from, to }) => [from, to])
    .filter((id) => typeof id === 'number');
  await sql`
    insert into match_checks (gtin)
      select gtin from product_gtins where product_id = any(${products}::bigint[])
      union select unnest(${gtins.map(({ gtin }) => gtin)}::text[]) order by 1`.execute(tx);
}

/**
 * Locks these deals, the offers of their products and those of `products`, in the same order as
 * imports. Requires the products lock.
 */
export async function lockDeals(
  tx: Tx,
  ids: readonly number[],
  products: readonly number[] = [],
): Promise<Map<number, LinkedDeal>> {
  const rows = await ask(tx).rows<LinkedDeal>`
    select id, gtin, title, product_id as product, product_confirmed as "isConfirmed" from deals
     where id in (
       select unnest(${ids}::bigint[])
       union select id from deals where product_id = any(${products}::bigint[])
       union select o.id from deals d join deals o on o.product_id = d.product_id where d.id = any(${ids}::bigint[]))
     order by id for no key update`;
  return new Map(rows.map((row) => [row.id, row]));
}

/** Returns the products that have these GTINs. */
export async function findHolders(
  tx: Tx,
  gtins: readonly (string | null)[],
): Promise<Map<string, Holder>> {
  const rows = await ask(tx).rows<{ gtin: string; product_id: number | null }>`
    select gtin, product_id from product_gtins where gtin = any(${gtins.filter((gtin) => gtin !== null)}::text[])`;
  return new Map(rows.map(({ gtin, product_id }) => [gtin, product_id ?? 'shared']));
}

/** Returns the changes that make deals offers of a product. Its current offers are among `all`. */
export async function planJoin(
  tx: Tx,
  joining: readonly LinkedDeal[],
  to: number,
  all: readonly LinkedDeal[],
): Promise<ProductChanges> {
  const holders = await findHolders(
    tx,
    joining.map(({ gtin }) => gtin),
  );
  const free = joining.flatMap(({ gtin }) =>
    gtin !== null && productGtin(gtin) !== null && !holders.has(gtin) ? [gtin] : [],
  );
  const ids = joining.map(({ id }) => id);
  const offers = [...ids, ...all.filter(({ product }) => product === to).map(({ id }) => id)];
  const refused = await ask(tx).rows<{ deal: number; other: number }>`
    select deal_id as deal, other_id as other from duplicate_dismissals
     where deal_id = any(${offers}::bigint[]) and other_id = any(${offers}::bigint[])
       and (deal_id = any(${ids}::bigint[]) or other_id = any(${ids}::bigint[]))`;
  return {
    deals: joining.map((deal) => linkTo(deal, to)),
    gtins: [...new Set(free)].map((gtin) => ({ gtin, from: null, to })),
    merged: [],
    variants: [],
    refusals: refused.map((pair) => ({ ...pair, isRefused: false })),
  };
}

/** Returns the change that links a deal to product `to`, or unlinks it if `to` is null. */
export function linkTo(deal: LinkedDeal, to: number | null): DealChange {
  const { id, gtin, product, isConfirmed } = deal;
  return { id, gtin, from: product, to, wasConfirmed: isConfirmed, isConfirmed: to !== null };
}

/** Returns the changes that remove a deal from its product because it is something else. */
export async function planLeave(
  tx: Tx,
  deal: LinkedDeal,
  all: readonly LinkedDeal[],
): Promise<ProductChanges> {
  const { id, gtin, product } = deal;
  const others = all.filter((other) => other.product === product && other.id !== id);
  const otherIds = others.map((other) => other.id);
  const known = await ask(tx).column<number>`
    select case when deal_id = ${id} then other_id else deal_id end from duplicate_dismissals
     where (deal_id = ${id} and other_id = any(${otherIds}::bigint[])) or (other_id = ${id} and deal_id = any(${otherIds}::bigint[]))`;
  const holder = (await findHolders(tx, [gtin])).get(gtin ?? '') ?? null;
  // A GTIN that no other offer has is removed from the product with the deal.
  const isOwn =
    holder !== null &&
    holder === product &&
    others.length > 0 &&
    !others.some((other) => other.gtin === gtin);
  return {
    deals: [linkTo(deal, null)],
    gtins: gtin !== null && isOwn ? [{ gtin, from: holder, to: null }] : [],
    merged: [],
    variants: [],
    refusals: otherIds
      .filter((other) => !known.includes(other))
      .map((other) => ({
        deal: Math.min(id, other),
        other: Math.max(id, other),
        isRefused: true,
      })),
  };
}
