import { type RawBuilder, sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { conditionOf, type DealScope, liveScope } from './deal-conditions.server.ts';

/** SQL of the first `most` deals of a list in its order, with `id` and `product_id`. */
export type Walk = (most: number) => RawBuilder<unknown>;

/** Returns a list that shows every deal instead. */
export function everyDeal(walk: Walk): Walk {
  return (most) => sql`select id, null::bigint as product_id from (${walk(most)}) every`;
}

/** Deals that are read beyond a page, so that a few repeated products need no second query. */
const spare = 24;

/** A part of a list that shows each product once, with the first of its deals. */
interface Walked {
  ids: number[];
  /** The number of deals read. */
  deals: number;
  /** The number of cards for these deals. */
  cards: number;
  /** Whether all deals of the list were read. */
  isWhole: boolean;
}

/**
 * Reads a list only as far as it fills a part, and drops each deal whose product came earlier. A
 * list with many repeated products is read again, twice as far.
 */
export async function listOnce(
  db: Db,
  walk: Walk,
  { limit, offset = 0 }: { limit: number; offset?: number },
): Promise<Walked> {
  for (let most = offset + limit + spare; ; most *= 2) {
    const found = await ask(db).row<{ ids: string[]; deals: number; cards: number }>`
      with walked as materialized (
        select id, product_id, row_number() over () as place from (${walk(most)}) deals
      ), cards as materialized (
        select id, place from walked
         where product_id is null
            or place in (select min(place) from walked where product_id is not null group by product_id)
      )
      select array(select id from cards order by place limit ${limit} offset ${offset}) as ids,
             (select count(*) from walked) as deals, (select count(*) from cards) as cards`;
    const { ids = [], deals = 0, cards = 0 } = found ?? {};
    const isWhole = deals < most;
    if (isWhole || cards >= offset + limit) return { ids: ids.map(Number), deals, cards, isWhole };
  }
}

/** Returns a condition on gathered rows: no other row of the product comes earlier in the order. */
export function isFirstAmong(rows: RawBuilder<unknown>, order: RawBuilder<unknown>) {
  return sql<boolean>`(product_id is null or id in (
    select distinct on (product_id) id from ${rows} where product_id is not null order by product_id, ${order}))`;
}

/**
 * Returns a condition on expired `deals` of a list: its product has neither a live deal nor a newer
 * expired one there.
 */
export function isFirstExpired(scope: DealScope): RawBuilder<boolean> {
  return sql`(product_id is null or not exists (
    select from deals earlier
     where earlier.product_id = deals.product_id and is_active and ${conditionOf(scope)}
       and (${liveScope} or (earlier.created_at, earlier.id) > (deals.created_at, deals.id))))`;
}

/** Keeps the first of the deals of each product. */
export async function keepFirst(db: Db, ids: readonly number[]): Promise<number[]> {
  const rows = await ask(db).rows<{ id: number; product: number }>`
    select id, product_id as product from deals
     where id = any(${ids}::bigint[]) and product_id is not null`;
  const products = new Map(rows.map(({ id, product }) => [id, product]));
  const seen = new Set<number>();
  return ids.filter((id) => {
    const product = products.get(id);
    if (product === undefined) return true;
    const isFirst = !seen.has(product);
    seen.add(product);
    return isFirst;
  });
}
