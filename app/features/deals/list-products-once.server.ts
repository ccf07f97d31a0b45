import { type RawBuilder, sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { conditionOf, type DealScope, liveScope } from './deal-conditions.server.ts';

/** SQL of the first `most` deals of a list in its order, with `id` and `product_id`. */
export type ReadFirst = (most: number) => RawBuilder<unknown>;

/** Returns a list that shows every deal instead. */
export function everyDeal(read: ReadFirst): ReadFirst {
  return (most) => sql`select id, null::bigint as product_id from (${read(most)}) every`;
}

/** Deals that are read for each card, so that a few repeated products need no second query. */
const spare = 1.125;

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
 * list with many repeated products is read again, further.
 */
export async function listOnce(
  db: Db,
  read: ReadFirst,
  { limit, offset = 0 }: { limit: number; offset?: number },
): Promise<Walked> {
  const wanted = offset + limit;
  for (let most = Math.ceil(wanted * spare); ;) {
    const found = await ask(db).row<{ ids: string[]; deals: number; cards: number }>`
      with ${firstOf(read(most))}
      select ${shownIds(limit, offset)} as ids, deals, deals - linked + (select count(*) from firsts) as cards
        from (select count(*) as deals, count(product_id) as linked from walked) counted`;
    const { ids = [], deals = 0, cards = 0 } = found ?? {};
    const isWhole = deals < most;
    if (isWhole || cards >= wanted) return { ids: ids.map(Number), deals, cards, isWhole };
    most = Math.ceil(most * spare * Math.max(spare, wanted / Math.max(1, cards)));
  }
}

/** Returns CTEs: `walked` numbers deals in their order, and `firsts` has each product's first. */
export function firstOf(rows: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`walked as materialized (
      select id, product_id, row_number() over () as place from (${rows}) deals
    ), firsts as materialized (
      select min(place) as place from walked where product_id is not null group by product_id
    )`;
}

/** Returns an expression after `firstOf`: the ids of a part, without repeated products. */
export function shownIds(limit: number, offset: number): RawBuilder<string[]> {
  return sql`array(select id from walked where product_id is null or place in (select place from firsts)
                    order by place limit ${limit} offset ${offset})`;
}

/**
 * Returns a condition on the expired deals of a list, in rows of this name: their product has
 * neither a live deal nor a newer expired one there.
 */
export function isFirstExpired(scope: DealScope, rows: 'found' | 'deals'): RawBuilder<boolean> {
  const own = sql.raw(rows);
  return sql`(${own}.product_id is null or not exists (
    select from deals earlier
     where earlier.product_id = ${own}.product_id and is_active and ${conditionOf(scope)}
       and (${liveScope} or (earlier.created_at, earlier.id) > (${own}.created_at, ${own}.id))))`;
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
