import { type RawBuilder, sql } from 'kysely';
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

/** Returns the order of a list. The order by discount depends on the basis of discounts. */
export function orderOf(sort: ListSort, priceClaims: PriceClaims): Order {
  return sort === 'discount' ? highestDiscount[priceClaims] : orders[sort];
}

/**
 * Returns the product column of `deals`, or null for a store's list. Such a list shows every deal,
 * and its indexes lack the column.
 */
function productIn({ merchantId }: DealScope): RawBuilder<number | null> {
  return merchantId === undefined ? sql`product_id` : sql`null::bigint as product_id`;
}

/** Returns SQL of the first live deals in an order, with their products. */
export function readLive(scope: DealScope, order: Order, most: number): RawBuilder<unknown> {
  if (order === best) return readBest(scope, most);
  if (order === unitPrice) return walkUnitPrices(scope, most);
  return sql`
    select id, ${productIn(scope)} from deals where ${liveScope} and ${conditionOf(scope)}
     order by ${order.by} limit ${most}`;
}

/**
 * Returns SQL of the first deals in the order `best`. Each branch reads its index only up to the
 * last of them.
 */
export function readBest(scope: DealScope, most: number): RawBuilder<unknown> {
  const matches = sql`${liveScope} and ${conditionOf(scope)}`;
  return sql`
    select id, product_id from (
      (select id, ${productIn(scope)}, created_at, below_usual as best
         from price_proofs join deals on id = deal_id
        where below_usual is not null and ${hasKeptHistory} and ${matches}
        order by below_usual desc, deal_id desc limit ${most})
      union all
      (select id, ${productIn(scope)}, created_at, 0 from deals
        where ${percentBelowUsual} = 0 and ${matches} order by ${newestFirst.by} limit ${most})) walked
     order by ${best.by} limit ${most}`;
}

/**
 * Returns SQL of the first deals by price per unit. Those without contents, which may be rare, are
 * read only to fill the rest.
 */
function walkUnitPrices(scope: DealScope, most: number): RawBuilder<unknown> {
  const matches = sql`${liveScope} and ${conditionOf(scope)}`;
  return sql`
    with known as materialized (
      select id, ${productIn(scope)}, created_at, ${unitRank} as unit from deals
       where net_contents is not null and ${matches} order by ${unitRank}, id limit ${most})
    select id, product_id from (
      select * from known
      union all
      -- Without this inner limit, the planner would sort all deals.
      (select * from (
        select id, ${productIn(scope)}, created_at, null::double precision from deals
         where net_contents is null and ${matches} order by ${newestFirst.by} limit ${most}) unknown
        limit ${most}::bigint - (select count(*) from known))) walked
     order by ${unitPrice.by} limit ${most}`;
}
