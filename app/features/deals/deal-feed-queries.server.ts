import { sql } from 'kysely';
import type { Db } from '#database/connect.ts';
import { conditionOf, liveScope } from './deal-conditions.server.ts';
import { type DealSummary, listDealsByIds } from './deal-list-queries.server.ts';

/** The newest live deals of the whole site, of a category, of a merchant, or of both. */
export async function listNewestDeals(
  db: Db,
  filter: { categoryId?: number; merchantId?: number },
  limit: number,
): Promise<DealSummary[]> {
  const { rows } = await sql<{ id: number }>`
    select id from deals where ${liveScope} and ${conditionOf(filter)}
     order by created_at desc, id desc limit ${limit}`.execute(db);
  return listDealsByIds(
    db,
    rows.map(({ id }) => id),
  );
}

export interface DealAddress {
  id: number;
  slug: string;
  updated_at: Date;
}

/**
 * Live deals with `after` < id <= `last`, by id, at most `limit`. The primary key serves it, so that a sitemap of
 * a million deals is read in short steps.
 */
export async function listDealAddresses(
  db: Db,
  { after, last, limit }: { after: number; last: number; limit: number },
): Promise<DealAddress[]> {
  const { rows } = await sql<DealAddress>`
    select id, slug, updated_at from deals
     where id > ${after} and id <= ${last} and ${liveScope}
     order by id limit ${limit}`.execute(db);
  return rows;
}

/**
 * Numbers of the id ranges of `size` that hold a live deal: 1 is ids 1 to `size`. It hops from one range to the
 * next, whatever lies between them, and counts nothing.
 */
export async function listDealRanges(db: Db, size: number): Promise<number[]> {
  const { rows } = await sql<{ range: number }>`
    with recursive ranges as (
      (select (id - 1) / ${size}::bigint + 1 as range from deals where ${liveScope} order by id limit 1)
      union all
      select (select (id - 1) / ${size}::bigint + 1 from deals
               where id > ranges.range * ${size}::bigint and ${liveScope} order by id limit 1)
        from ranges where ranges.range is not null)
    select range from ranges where range is not null`.execute(db);
  return rows.map(({ range }) => range);
}
