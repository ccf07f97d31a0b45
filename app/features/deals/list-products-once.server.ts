import { type RawBuilder, sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { conditionOf, type DealScope, liveScope } from './deal-conditions.server.ts';

/**
 * Builds SQL that selects `id` and `product_id` of the first `most` deals of a list, in its order.
 */
export type ReadFirst = (most: number) => RawBuilder<unknown>;

/** Disables grouping by product, so that every deal is shown. */
export function everyDeal(read: ReadFirst): ReadFirst {
  return (most) => sql`select id, null::bigint as product_id from (${read(most)}) every`;
}

/** The number of deals to read per card, so that a few repeated products need no second query. */
const spare = 1.125;

/** A slice of a list that shows each product once, by its first deal. */
interface Walked {
  ids: number[];
  /** The number of deals that were read. */
  deals: number;
  /** The number of cards for these deals. */
  cards: number;
  /** Whether all deals of the list were read. */
  isWhole: boolean;
}

/**
 * Reads just enough of a list to fill a slice, and drops deals whose product appeared earlier. If
 * too few remain, more of the list is read.
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

/**
 * Returns CTEs: `walked` numbers the deals in order, and `firsts` has the number of each product's
 * first deal.
 */
export function firstOf(rows: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`walked as materialized (
      select id, product_id, row_number() over () as place from (${rows}) deals
    ), firsts as materialized (
      select min(place) as place from walked where product_id is not null group by product_id
    )`;
}

/** Returns an expression for use after `firstOf`: the ids of a slice without repeated products. */
export function shownIds(limit: number, offset: number): RawBuilder<string[]> {
  return sql`array(select id from walked where product_id is null or place in (select place from firsts)
                    order by place limit ${limit} offset ${offset})`;
}

/**
 * Returns a condition that an expired deal of a list meets if its product has neither a live deal
 * nor a newer expired one there. `rows` is the deals' alias.
 */
export function isFirstExpired(scope: DealScope, rows: 'found' | 'deals'): RawBuilder<boolean> {
  const own = sql.raw(rows);
  return sql`(${own}.product_id is null or not exists (
    select from deals earlier
     where earlier.product_id = ${own}.product_id and is_active and ${conditionOf(scope)}
       and (${liveScope} or (earlier.created_at, earlier.id) > (${own}.created_at, ${own}.id))))`;
}

/** Keeps only the first deal of each product. */
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
