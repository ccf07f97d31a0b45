import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#database/connect.ts';
import { conditionOf, expiredScope, liveScope } from './deal-conditions.server.ts';
import { type DealFilter, type DealSort, deepestPage } from './deal-list-input.ts';
import {
  asDealSummary,
  type DealSummary,
  dealSummaryColumns,
  dealSummaryJoins,
  type DealSummaryRow,
} from './deal-summary-columns.server.ts';

export type { DealSummary } from './deal-summary-columns.server.ts';

export interface DealList {
  deals: DealSummary[];
  /** All deals of the list; when `isTotalCapped`, there are more than this. */
  total: number;
  isTotalCapped: boolean;
  page: number;
  pageCount: number;
}

export const pageSize = 24;
const mostCounted = deepestPage * pageSize;

/**
 * A page of active deals. Live deals come first in the wanted order, expired ones only after the last live one,
 * newest first (decision 4).
 */
export async function listDeals(
  db: Db,
  {
    filter,
    sort,
    page,
    priceClaims = 'claimed',
  }: { filter: DealFilter; sort: DealSort; page: number; priceClaims?: 'claimed' | 'observed' },
): Promise<DealList> {
  const [live, expired] = await Promise.all([
    countLive(db, filter),
    countMatching(db, expiredScope, filter),
  ]);
  const total = Math.min(live + expired, mostCounted);
  const pageCount = Math.max(1, Math.ceil(total / pageSize));
  const offset = (page - 1) * pageSize;
  const ids: number[] = [];
  if (offset < live) {
    ids.push(
      ...(await listIds(db, liveScope, filter, orderOf(sort, priceClaims), pageSize, offset)),
    );
  }
  if (ids.length < pageSize && offset + ids.length >= live) {
    const missing = pageSize - ids.length;
    ids.push(
      ...(await listIds(
        db,
        expiredScope,
        filter,
        newestFirst,
        missing,
        Math.max(0, offset - live),
      )),
    );
  }
  return {
    deals: await listDealsByIds(db, ids),
    total,
    isTotalCapped: live + expired > mostCounted,
    page,
    pageCount,
  };
}

export async function listFeaturedDeals(db: Db, limit: number): Promise<DealSummary[]> {
  return listDealsByIds(
    db,
    await listIds(db, liveScope, { dealType: 'featured' }, newestFirst, limit, 0),
  );
}

export async function listRecentDeals(db: Db, limit: number): Promise<DealSummary[]> {
  return listDealsByIds(db, await listIds(db, liveScope, {}, newestFirst, limit, 0));
}

/** Live deals of the same category, the newest ones. */
export async function listSimilarDeals(
  db: Db,
  deal: { id: number; category: { id: number } },
  limit: number,
): Promise<DealSummary[]> {
  const ids = await listIds(
    db,
    liveScope,
    { categoryId: deal.category.id },
    newestFirst,
    limit + 1,
    0,
  );
  return listDealsByIds(db, ids.filter((id) => id !== deal.id).slice(0, limit));
}

/** The active deals among `ids`, in the order of `ids`. */
export async function listDealsByIds(db: Db, ids: number[]): Promise<DealSummary[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<DealSummaryRow>`
    select ${dealSummaryColumns}
      from unnest(${ids}::bigint[]) with ordinality wanted (id, place)
      join deals d on d.id = wanted.id ${dealSummaryJoins}
     where d.is_active
     order by wanted.place`.execute(db);
  return rows.map(asDealSummary);
}

const newestFirst = sql`created_at desc, id desc`;

function orderOf(sort: DealSort, priceClaims: 'claimed' | 'observed'): RawBuilder<unknown> {
  switch (sort) {
    case 'newest':
      return newestFirst;
    case 'discount':
      return priceClaims === 'observed'
        ? sql`observed_percent desc, id desc`
        : sql`discount_percent desc, id desc`;
    case 'price-low':
      return sql`sale_price, id`;
    case 'price-high':
      return sql`sale_price desc, id desc`;
  }
}

async function listIds(
  db: Db,
  scope: RawBuilder<boolean>,
  filter: DealFilter,
  order: RawBuilder<unknown>,
  limit: number,
  offset: number,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from deals where ${scope} and ${conditionOf(filter)}
     order by ${order} limit ${limit} offset ${offset}`.execute(db);
  return rows.map((row) => row.id);
}

/** Unfiltered lists read the kept counters; the rest is counted up to what can be paged through. */
async function countLive(db: Db, filter: DealFilter): Promise<number> {
  const { categoryId, merchantId, ...others } = filter;
  const isPlain = Object.values(others).every((value) => value === undefined);
  if (isPlain && categoryId !== undefined && merchantId === undefined) {
    const row = await db
      .selectFrom('categories')
      .select('deal_count')
      .where('id', '=', categoryId)
      .executeTakeFirst();
    return row?.deal_count ?? 0;
  }
  if (isPlain && merchantId !== undefined && categoryId === undefined) {
    const row = await db
      .selectFrom('merchants')
      .select('deal_count')
      .where('id', '=', merchantId)
      .executeTakeFirst();
    return row?.deal_count ?? 0;
  }
  if (isPlain && merchantId === undefined) {
    const row = await db
      .selectFrom('site_counters')
      .select('value')
      .where('name', '=', 'live_deals')
      .executeTakeFirst();
    return row?.value ?? 0;
  }
  return countMatching(db, liveScope, filter);
}

async function countMatching(
  db: Db,
  scope: RawBuilder<boolean>,
  filter: DealFilter,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select 1 from deals where ${scope} and ${conditionOf(filter)} limit ${mostCounted + 1}) counted`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}
