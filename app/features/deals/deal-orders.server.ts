import { type RawBuilder, sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import type { PriceClaims } from '#app/features/site-settings/site-settings.ts';
import {
  conditionOf,
  type DealScope,
  hasKeptHistory,
  liveScope,
  percentBelowUsual,
  unitRank,
} from './deal-conditions.server.ts';
import type { ListSort } from './deal-sorts.ts';

export interface Order {
  by: RawBuilder<unknown>;
  /** An additional expression that `by` needs. */
  reads?: RawBuilder<unknown>;
  /** Lists, other than the list of all deals, that have an index in this order. */
  isIndexedIn: ('category' | 'merchant')[];
}

export const newestFirst: Order = {
  by: sql`created_at desc, id desc`,
  isIndexedIn: ['category', 'merchant'],
};
/** Deals below their usual price have an index. The others follow, newest first. */
const best: Order = {
  by: sql`best desc, case when best = 0 then created_at end desc nulls last, id desc`,
  reads: sql`, ${percentBelowUsual} as best`,
  isIndexedIn: [],
};
/** Deals with known contents have an index. The others follow, newest first. */
const unitPrice: Order = {
  by: sql`unit nulls last, case when unit is null then created_at end desc nulls last, id`,
  reads: sql`, ${unitRank} as unit`,
  isIndexedIn: ['category'],
};
/** The order by the percentage on cards. The default setting has an index per category. */
const highestDiscount: Record<PriceClaims, Order> = {
  checked: { by: sql`checked_percent desc, id desc`, isIndexedIn: ['category'] },
  claimed: { by: sql`discount_percent desc, id desc`, isIndexedIn: [] },
  observed: { by: sql`observed_percent desc, id desc`, isIndexedIn: [] },
};
const orders: Record<Exclude<ListSort, 'discount'>, Order> = {
  newest: newestFirst,
  best,
  price_low: { by: sql`sale_price, id`, isIndexedIn: ['category'] },
  price_high: { by: sql`sale_price desc, id desc`, isIndexedIn: ['category'] },
  unit_price: unitPrice,
};

/** Returns the order of a list. The one by discount depends on the basis of discounts. */
export function orderOf(sort: ListSort, priceClaims: PriceClaims): Order {
  return sort === 'discount' ? highestDiscount[priceClaims] : orders[sort];
}

/** Returns the first live deals in an order. */
export async function scanLive(
  db: Db,
  filter: DealScope,
  order: Order,
  limit: number,
  offset: number,
) {
  if (order === best) return scanBest(db, filter, limit, offset);
  if (order === unitPrice) return scanUnitPrices(db, filter, limit, offset);
  return ask(db).column<number>`
    select id from deals where ${liveScope} and ${conditionOf(filter)}
     order by ${order.by} limit ${limit} offset ${offset}`;
}

/**
 * Returns the deals of a page by the order `best`. Each branch reads its index only up to this
 * page.
 */
export async function scanBest(db: Db, filter: DealScope, limit: number, offset: number) {
  const matches = sql`${liveScope} and ${conditionOf(filter)}`;
  return ask(db).column<number>`
    select id from (
      (select id, created_at, below_usual as best
         from price_proofs join deals on id = deal_id
        where below_usual is not null and ${hasKeptHistory} and ${matches}
        order by below_usual desc, deal_id desc limit ${limit + offset})
      union all
      (select id, created_at, 0 from deals
        where ${percentBelowUsual} = 0 and ${matches} order by ${newestFirst.by} limit ${limit + offset})) walked
     order by ${best.by} limit ${limit} offset ${offset}`;
}

/**
 * Returns the deals of a page by price per unit. Those without contents, which may be rare, are
 * read only to fill the rest of the page.
 */
async function scanUnitPrices(db: Db, filter: DealScope, limit: number, offset: number) {
  const matches = sql`${liveScope} and ${conditionOf(filter)}`;
  const most = limit + offset;
  return ask(db).column<number>`
    with known as materialized (
      select id, created_at, ${unitRank} as unit from deals
       where net_contents is not null and ${matches} order by ${unitRank}, id limit ${most})
    select id from (
      select * from known
      union all
      -- Without this inner limit, the planner would sort all deals.
      (select * from (
        select id, created_at, null::double precision from deals
         where net_contents is null and ${matches} order by ${newestFirst.by} limit ${most}) unknown
        limit ${most}::bigint - (select count(*) from known))) walked
     order by ${unitPrice.by} limit ${limit} offset ${offset}`;
}
