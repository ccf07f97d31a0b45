import { lockProducts } from '#app/features/deals/lock-products.server.ts';
import { ask } from '#database/ask.ts';
import type { Db, Tx } from '#database/connect.ts';
import { writeAudit } from '#app/platform/audit/audit.server.ts';
import {
  findHolders,
  type Holder,
  type LinkedDeal,
  lockDeals,
  type ProductAct,
  type ProductChanges,
  performAct,
} from './change-products.server.ts';

/** The result of an undo. Unless it is `done`, nothing was changed. */
type UndoResult = 'done' | 'undone' | 'deleted' | 'changed';

interface StoredAct {
  kind: ProductAct['kind'];
  product: number | null;
  other: number | null;
  changes: ProductChanges;
  isUndone: boolean;
}

/**
 * Undoes an action by staff on products, or an undo. Deals that have since been unlinked by an
 * import or permanently deleted are skipped. Any other later change prevents the undo.
 */
export function undoAct(db: Db, actor: string, id: number): Promise<UndoResult> {
  return db.transaction().execute(async (tx) => {
    await lockProducts(tx);
    return undoLocked(tx, actor, id);
  });
}

/** Does what `undoAct` does, in a transaction that holds the lock of products. */
export async function undoLocked(tx: Tx, actor: string, id: number): Promise<UndoResult> {
  const act = await ask(tx).row<StoredAct>`
    select kind, product_id as product, other_id as other, changes,
           exists (select from product_acts u where u.undoes = a.id) as "isUndone"
      from product_acts a where id = ${id}`;
  if (!act) return 'changed';
  if (act.isUndone) return 'undone';
  const plan = await planUndo(tx, act);
  if (typeof plan === 'string') return plan;
  const { product, other } = act;
  await performAct(tx, { kind: 'undo', actor, product, other, undoes: id, changes: plan });
  const entry = { actor, action: 'product.undo', entity: 'product', entityId: product ?? 0 };
  await writeAudit(tx, { ...entry, before: { act: id, kind: act.kind } });
  return 'done';
}

async function planUndo(
  tx: Tx,
  { changes }: StoredAct,
): Promise<ProductChanges | 'deleted' | 'changed'> {
  const ids = changes.deals.map(({ id }) => id);
  const { gtins, merged } = changes;
  const products = [...changes.deals, ...gtins, ...merged].flatMap(({ to }) =>
    typeof to === 'number' ? [to] : [],
  );
  products.push(...merged.map(({ id }) => id));
  const deals = await lockDeals(tx, ids, products);
  const isInTrash = await ask(tx).value<boolean>`
    select true from deleted_deals where deal_id = any(${ids.filter((one) => !deals.has(one))}::bigint[]) limit 1`;
  if (isInTrash) return 'deleted';
  const holders = await findHolders(
    tx,
    [...gtins, ...deals.values()].map(({ gtin }) => gtin),
  );
  if (gtins.some(({ gtin, to }) => (holders.get(gtin) ?? null) !== to)) return 'changed';
  if (!(await areStillMerged(tx, changes))) return 'changed';
  const staying = changes.deals.filter((change) => isAsLeft(change, deals.get(change.id)));
  const others = changes.deals.filter(
    (change) => !staying.includes(change) && deals.has(change.id),
  );
  if (
    await haveLaterActs(
      tx,
      others.map((change) => change.id),
    )
  )
    return 'changed';
  const isAboutDeals = merged.length === 0 && !gtins.some(isShared) && changes.deals.length > 0;
  if (isAboutDeals && staying.length === 0) return 'changed';
  const back = staying.map(({ id, gtin, from, to, wasConfirmed, isConfirmed }) => ({
    id,
    gtin,
    from: to,
    to: from,
    wasConfirmed: isConfirmed,
    isConfirmed: wasConfirmed,
  }));
  const plan = {
    deals: [...back, ...(await planFollowers(tx, changes, deals))],
    gtins: gtins.map(({ gtin, from, to }) => ({ gtin, from: to, to: from })),
    merged: merged.map(({ id, from, to }) => ({ id, from: to, to: from })),
    variants: changes.variants.map(({ id, from, to }) => ({ id, from: to, to: from })),
    refusals: changes.refusals.map((pair) => ({ ...pair, isRefused: !pair.isRefused })),
  };
  return (await isPossible(tx, plan, deals, holders)) ? plan : 'changed';
}

const isShared = ({ from, to }: ProductChanges['gtins'][number]) =>
  from === 'shared' || to === 'shared';

type DealChange = ProductChanges['deals'][number];

/** Whether a deal is as the action left it, and has no different GTIN now. */
function isAsLeft(change: DealChange, deal: LinkedDeal | undefined): boolean {
  if (!deal || deal.product !== change.to || deal.isConfirmed !== change.isConfirmed) return false;
  return deal.gtin === change.gtin || deal.gtin === null || change.gtin === null;
}

/** Whether the products that the action merged, or separated again, are still in that state. */
async function areStillMerged(tx: Tx, { merged }: ProductChanges): Promise<boolean> {
  const others = await ask(tx).value<boolean>`
    select true from jsonb_to_recordset(${JSON.stringify(merged)}::jsonb) c (id bigint, "to" bigint)
      left join products p on p.id = c.id
     where p.id is null or p.merged_into is distinct from c."to" limit 1`;
  return others === null;
}

/** Whether the last change of one of these deals was by staff. */
async function haveLaterActs(tx: Tx, ids: number[]): Promise<boolean> {
  const found = await ask(tx).value<boolean>`
    select true from unnest(${ids}::bigint[]) deal
     cross join lateral (select l.act_id from product_links l where l.deal_id = deal order by l.id desc limit 1) l
     where l.act_id is not null limit 1`;
  return found !== null;
}

/**
 * Returns the changes of later offers that the undo also affects: those linked by a GTIN that
 * moves to another product, and deals restored from the trash into a merged product.
 */
async function planFollowers(
  tx: Tx,
  { deals: known, gtins, merged }: ProductChanges,
  deals: ReadonlyMap<number, LinkedDeal>,
): Promise<DealChange[]> {
  const knownIds = new Set(known.map(({ id }) => id));
  const later = [...deals.values()].filter(({ id }) => !knownIds.has(id));
  const restored = await ask(tx).rows<{ deal: number; product: number }>`
    with recursive family as (
      select c.id, c.id as product from jsonb_to_recordset(${JSON.stringify(merged)}::jsonb) c (id bigint, "to" bigint)
       where c."to" is not null
      union all
      select p.id, f.product from family f join products p on p.merged_into = f.id
    )
    select deal, f.product from unnest(${later.map(({ id }) => id)}::bigint[]) deal
     cross join lateral (select * from product_links l where l.deal_id = deal order by l.id desc limit 1) l
      join family f on f.id = l.to_product`;
  const homes = new Map(restored.map(({ deal, product }) => [deal, product]));
  return later.flatMap(({ id, gtin, product, isConfirmed }) => {
    const moved = gtins.find((one) => one.gtin === gtin && one.to === product);
    const home = moved && !isConfirmed ? productOf(moved.from) : homes.get(id);
    if (home === undefined || product === null) return [];
    const stays = isConfirmed && home !== null;
    return [{ id, gtin, from: product, to: home, wasConfirmed: isConfirmed, isConfirmed: stays }];
  });
}

const productOf = (holder: Holder) => (typeof holder === 'number' ? holder : null);

/**
 * Whether the result is consistent. Every deal, GTIN and merged product must belong to a product
 * that is not merged. Merged products must be empty, and deals linked by GTIN must have the GTIN.
 */
async function isPossible(
  tx: Tx,
  { deals: changes, gtins, merged }: ProductChanges,
  deals: ReadonlyMap<number, LinkedDeal>,
  holders: ReadonlyMap<string, Holder>,
): Promise<boolean> {
  const targets = new Set(
    [...changes, ...gtins, ...merged].flatMap(({ to }) => (typeof to === 'number' ? [to] : [])),
  );
  const found = await ask(tx).rows<{ id: number; merged_into: number | null }>`
    select id, merged_into from products where id = any(${[...targets]}::bigint[])`;
  const after = new Map(merged.map(({ id, to }) => [id, to]));
  const isFree = ({ id, merged_into }: (typeof found)[number]) =>
    (after.has(id) ? after.get(id) : merged_into) === null;
  if (found.filter(isFree).length < targets.size) return false;
  const movedIds = new Set(changes.map(({ id }) => id));
  const isLeft = ({ id, product }: LinkedDeal) =>
    !movedIds.has(id) && merged.some((one) => one.id === product && one.to !== null);
  if ([...deals.values()].some(isLeft)) return false;
  const ofMerged = merged.filter(({ to }) => to !== null).map(({ id }) => id);
  const numberLeft = await ask(tx).value<string>`
    select gtin from product_gtins
     where product_id = any(${ofMerged}::bigint[]) and gtin <> all(${gtins.map(({ gtin }) => gtin)}::text[]) limit 1`;
  if (numberLeft !== null) return false;
  const next = new Map([...holders, ...gtins.map(({ gtin, to }) => [gtin, to] as const)]);
  return changes.every(({ id, to, isConfirmed }) => {
    const gtin = deals.get(id)?.gtin ?? null;
    return to === null || isConfirmed || (gtin !== null && next.get(gtin) === to);
  });
}
