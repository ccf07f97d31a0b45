import { sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { conditionOf, hasComparedPrice, isEvident, liveScope } from './deal-conditions.server.ts';
import { type DealSummary, listDealsByIds } from './deal-list-queries.server.ts';
import { newestFirst, readLive } from './deal-orders.server.ts';
import { everyDeal, listOnce, type ReadFirst } from './list-products-once.server.ts';

/** The scope of a feed: the whole site, a category, a merchant, or both. */
export interface FeedPlace {
  categoryId?: number;
  merchantId?: number;
}

/** Returns the newest live deals of a scope. */
export async function listNewestDeals(
  db: Db,
  filter: FeedPlace,
  limit: number,
): Promise<DealSummary[]> {
  return listFeed(db, filter, limit, (most) => readLive(filter, newestFirst, most));
}

/**
 * Returns the deals of a scope that the list with `evidence=fell` shows, the latest drop first.
 * Deals out of stock, with a hidden price, or of a merchant that forbids price history are not
 * among them.
 */
export async function listFallenDeals(
  db: Db,
  place: FeedPlace,
  limit: number,
): Promise<DealSummary[]> {
  const read: ReadFirst = (most) => sql`
    select id, product_id from price_proofs join deals on id = deal_id
     where ${isEvident('fell')} and ${hasComparedPrice} and ${conditionOf(place)}
     order by higher_until desc, deal_id desc limit ${most}`;
  return listFeed(db, place, limit, read);
}

/** Returns the live deals of a scope that end within 72 hours, the first to end first. */
export async function listEndingDeals(
  db: Db,
  place: FeedPlace,
  limit: number,
): Promise<DealSummary[]> {
  const read: ReadFirst = (most) => sql`
    select id, product_id from deals
     where ${liveScope} and ${conditionOf({ ...place, dealType: 'expiring' })}
     order by expires_at, id limit ${most}`;
  return listFeed(db, place, limit, read);
}

/**
 * Returns the first deals of a feed. As in lists, each product appears once, except in a store's
 * feed.
 */
async function listFeed(db: Db, place: FeedPlace, limit: number, read: ReadFirst) {
  const { ids } = await listOnce(db, place.merchantId === undefined ? read : everyDeal(read), {
    limit,
  });
  return listDealsByIds(db, ids);
}

/** Returns the version of deals, which every edit and import raises, and its time. */
export async function findDealVersions(db: Db, ids: number[]) {
  const rows = await ask(db).rows<{ id: number; version: number; updated_at: Date }>`
    select id, version, updated_at from deals where id = any(${ids}::bigint[])`;
  return new Map(rows.map((row) => [row.id, row]));
}

/**
 * Returns live deals with `after` < id <= `last`, by id. The query uses the primary key, so that a
 * sitemap of a million deals is read in short batches.
 */
export function listDealAddresses(
  db: Db,
  { after, last, limit }: { after: number; last: number; limit: number },
) {
  return ask(db).rows<{ id: number; slug: string; updated_at: Date }>`
    select id, slug, updated_at from deals
     where id > ${after} and id <= ${last} and ${liveScope}
     order by id limit ${limit}`;
}

/**
 * Returns the numbers of the id ranges of `size` with a live deal. Range 1 has the ids 1 to `size`.
 * The query skips from range to range without counting.
 */
export async function listDealRanges(db: Db, size: number): Promise<number[]> {
  return ask(db).column<number>`
    with recursive ranges as (
      (select (id - 1) / ${size}::bigint + 1 as range from deals where ${liveScope} order by id limit 1)
      union all
      select (select (id - 1) / ${size}::bigint + 1 from deals
               where id > ranges.range * ${size}::bigint and ${liveScope} order by id limit 1)
        from ranges where ranges.range is not null)
    select range from ranges where range is not null`;
}
