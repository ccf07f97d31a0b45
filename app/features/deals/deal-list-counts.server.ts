import { sql } from 'kysely';
import { type AppServices, cacheValue } from '#app/platform/app-context.server.ts';
import { deepestPage } from '#app/platform/page-number.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import {
  conditionOf,
  type DealScope,
  expiredScope,
  lapsedScope,
  liveScope,
} from './deal-conditions.server.ts';
import type { Order } from './deal-orders.server.ts';
import { isFirstExpired } from './list-products-once.server.ts';

export const pageSize = 24;
/** cards; the number that fits on all pages, beyond which nothing is counted */
export const mostListed = deepestPage * pageSize;

/** The services of a list. Ids of a list may be cached; the deals are always read. */
export type CachingDb = Pick<AppServices, 'db' | 'readCached'>;

/** The parameters of reading a list. */
export interface ReadList {
  scope: DealScope;
  order: Order;
  offset: number;
  /** Whether the first deal of a product represents all of them, except in a store's list. */
  isOnce: boolean;
}

/** deals; a longer list is assumed to have enough products to fill all pages */
const mostGrouped = 10 * mostListed;

/** Marks a statement with only a few variants, so that its plan is cached. */
const often = sql.raw('/* often */');

/** Returns whether a list is narrower than the whole site, a category or a store. */
function hasFilter({ categoryId, merchantId, ...others }: DealScope): boolean {
  const isOfBoth = categoryId !== undefined && merchantId !== undefined;
  return isOfBoth || Object.values(others).some((value) => value !== undefined);
}

interface StoredCount {
  count: number;
  stores: number | null;
}

/** Returns the stored counter of the site, a category or a merchant; `null` for other lists. */
export async function readStoredCount(db: Db, filter: DealScope): Promise<StoredCount | null> {
  const { categoryId, merchantId } = filter;
  if (hasFilter(filter)) return null;
  const query =
    categoryId !== undefined
      ? sql`select deal_count as count, null::int as stores from categories where id = ${categoryId}`
      : merchantId !== undefined
        ? sql`select deal_count as count, least(deal_count, 1) as stores from merchants where id = ${merchantId}`
        : sql`select value as count, (select count(*) from merchants where deal_count > 0) as stores
                from site_counters where name = 'live_deals'`;
  return (await ask(db).row<StoredCount>`${often} ${query}`) ?? { count: 0, stores: 0 };
}

/**
 * Counts the stores of a list without filters, and the deals that are not the first of their
 * product.
 */
export async function countPlace(
  services: CachingDb,
  list: ReadList,
  { count, stores }: StoredCount,
): Promise<{ stores: number; repeats: number } | null> {
  const { scope, isOnce } = list;
  if (count > (isOnce ? mostGrouped : mostListed)) return null;
  if (stores !== null && !isOnce) return { stores, repeats: 0 };
  const read = () => groupPlace(services.db, list, stores);
  return count > mostListed
    ? cacheValue(services, `place ${JSON.stringify(scope)}`, [], read)
    : read();
}

async function groupPlace(db: Db, { scope, isOnce }: ReadList, stores: number | null) {
  const product = isOnce ? sql`product_id` : sql`null::bigint as product_id`;
  const counted = await ask(db).row<{ stores: number; repeats: number }>`/* often */
    with found as materialized (
      select merchant_id, ${product} from deals
       where ${liveScope} and ${conditionOf(scope)} and ${stores === null ? sql`true` : sql`product_id is not null`}
    )
    select (select count(*) from (select from found group by merchant_id) merchants) as stores,
           (select coalesce(sum(offers - 1), 0)::bigint
              from (select count(*) as offers from found where product_id is not null group by product_id) products) as repeats`;
  return { stores: stores ?? counted?.stores ?? 0, repeats: counted?.repeats ?? 0 };
}

interface ExpiredCount {
  count: number;
  cards: number;
}

/** Counts expired deals up to `most`, and their cards. */
export async function countExpired(
  db: Db,
  { scope, isOnce }: ReadList,
  most: number,
): Promise<ExpiredCount> {
  const none = { count: 0, cards: 0 };
  if (most <= 0 || scope.dealType === 'expiring' || scope.evidence) return none;
  const read = isOnce ? sql`id, product_id, created_at` : sql``;
  const isShown = isOnce ? isFirstExpired(scope, 'found') : sql`true`;
  const counted = await ask(db).row<ExpiredCount>`${hasFilter(scope) ? sql`` : often}
    with found as materialized (
      select ${read} from deals where ${expiredScope} and ${conditionOf(scope)}
      union all
      select ${read} from deals where ${lapsedScope} and ${conditionOf(scope)}
      limit ${most}
    )
    select count(*) as count, count(*) filter (where ${isShown}) as cards from found`;
  return counted ?? none;
}
