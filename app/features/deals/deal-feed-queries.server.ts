import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { conditionOf, liveScope } from './deal-conditions.server.ts';
import { type DealSummary, listDealsByIds } from './deal-list-queries.server.ts';

/** Returns the newest live deals of the site, a category, a merchant, or both. */
export async function listNewestDeals(
  db: Db,
  filter: { categoryId?: number; merchantId?: number },
  limit: number,
): Promise<DealSummary[]> {
  const ids = await ask(db).column<number>`
    select id from deals where ${liveScope} and ${conditionOf(filter)}
     order by created_at desc, id desc limit ${limit}`;
  return listDealsByIds(db, ids);
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
