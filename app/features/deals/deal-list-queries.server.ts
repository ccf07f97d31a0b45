import { sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { defaultSettings, type PriceClaims } from '#app/features/site-settings/site-settings.ts';
import { deepestPage } from '#app/platform/page-number.ts';
import { type AppServices, cacheValue } from '#app/platform/app-context.server.ts';
import type { DealFilter } from './deal-list-input.ts';
import type { ListSort } from './deal-sorts.ts';
import {
  conditionOf,
  type DealScope,
  expiredScope,
  lapsedScope,
  liveScope,
  scopeOf,
} from './deal-conditions.server.ts';
import { newestFirst, type Order, orderOf, scanBest, scanLive } from './deal-orders.server.ts';
import {
  asDealSummary,
  type DealSummary,
  dealSummaryColumns,
  dealSummaryJoins,
  type DealSummaryRow,
} from './deal-summary-columns.server.ts';
import { placeTags } from './page-tags.ts';

export type { DealSummary } from './deal-summary-columns.server.ts';

export interface DealList extends DealPlaces {
  deals: DealSummary[];
}

/** The deals on a list's page in order, with their total. */
interface DealPlaces {
  ids: number[];
  /**
   * The number of live and expired deals. With `isTotalCapped` there are more. Expired ones do not
   * count once live ones fill all pages.
   */
  total: number;
  isTotalCapped: boolean;
  /** The number of expired deals in the total, which come last. */
  expiredTotal: number;
  page: number;
  pageCount: number;
  /** The number of merchants of the live deals. `null` if counting would read too many rows. */
  storeCount: number | null;
}

/** The services of a list. Ids of a list may be cached; the deals are always read. */
type CachingDb = Pick<AppServices, 'db' | 'readCached'>;

interface DealListQuery {
  filter: DealFilter;
  sort: ListSort;
  /** A page number from 1 to `deepestPage`. */
  page: number;
  priceClaims?: PriceClaims;
}

export const pageSize = 24;
/** deals on all pages; further deals are neither counted nor skipped */
const mostListed = deepestPage * pageSize;

/** Returns a page of live deals in the requested order, then of expired ones, newest first. */
export async function listDeals(services: CachingDb, query: DealListQuery): Promise<DealList> {
  const { db } = services;
  const name = `list ${JSON.stringify(query)}`;
  const places = await cacheValue(services, name, placeTags(query), () => findPlaces(db, query));
  return { ...places, deals: await listDealsByIds(db, places.ids) };
}

async function findPlaces(
  db: Db,
  { filter, sort, page, priceClaims = defaultSettings.priceClaims }: DealListQuery,
): Promise<DealPlaces> {
  const order = orderOf(sort, priceClaims);
  const offset = (page - 1) * pageSize;
  const scope = await scopeOf(db, filter, sort);
  const live = await listLive(db, scope, order, offset);
  const expiredCount = await countExpired(db, scope, mostListed + 1 - live.count);
  const missing = pageSize - live.ids.length;
  const expired =
    missing > 0 && expiredCount > 0
      ? await listExpired(db, scope, missing, Math.max(0, offset - live.count))
      : [];
  const listed = live.count + expiredCount;
  const isTotalCapped = live.isCapped || (live.count <= mostListed && listed > mostListed);
  const total = isTotalCapped ? mostListed : listed;
  return {
    ids: [...live.ids, ...expired],
    total,
    isTotalCapped,
    expiredTotal: Math.min(expiredCount, Math.max(0, total - live.count)),
    page,
    pageCount: Math.max(1, Math.ceil(Math.min(total, mostListed) / pageSize)),
    storeCount: live.storeCount,
  };
}

export function listFeaturedDeals(services: CachingDb, limit: number): Promise<DealSummary[]> {
  const find = (db: Db) => ask(db).column<number>`
    select id from deals where ${liveScope} and is_featured order by ${newestFirst.by} limit ${limit}`;
  return listCachedDeals(services, `featured ${limit}`, 'deals', find);
}

/** The deals furthest below their usual price; the newest where no price has a history yet. */
export function listBestDeals(services: CachingDb, limit: number): Promise<DealSummary[]> {
  return listCachedDeals(services, `best ${limit}`, 'deals', (db) => scanBest(db, {}, limit, 0));
}

export function listRecentDeals(services: CachingDb, limit: number): Promise<DealSummary[]> {
  const find = (db: Db) => scanLive(db, {}, newestFirst, limit, 0);
  return listCachedDeals(services, `recent ${limit}`, 'deals', find);
}

/** deals; similar ones are chosen among this many of the category's newest, to limit the cost */
const similarAmong = 150;

/**
 * Returns live deals of the same category, the most similar first. Similarity compares words of the
 * title, brand and price; then the newest come first.
 */
export async function listSimilarDeals(
  db: Db,
  deal: { id: number; category: { id: number } },
  limit: number,
): Promise<DealSummary[]> {
  const ids = await ask(db).column<number>`
    with shown as materialized (
      select deal_texts.brand, sale_price, (
        select string_agg('''' || replace(replace(lexeme, '\\', '\\\\'), '''', '''''') || ''':A', ' | ')::tsquery
          from unnest(ts_filter(search, '{a}'))) as words
        from deals join deal_texts on deal_id = id where id = ${deal.id}
    ), others as materialized (
      select id, sale_price, created_at from deals
       where ${liveScope} and category_id = ${deal.category.id} and id <> ${deal.id}
       order by ${newestFirst.by} limit ${similarAmong}
    )
    select others.id from others join deal_texts texts on texts.deal_id = others.id, shown
     order by 5 * coalesce(ts_rank(texts.search, words), 0)
              + case when texts.brand = shown.brand then 0.3 else 0 end
              + 0.2 * least(others.sale_price, shown.sale_price) / greatest(others.sale_price, shown.sale_price) desc,
              others.created_at desc, others.id desc
     limit ${limit}`;
  return listDealsByIds(db, ids);
}

async function listCachedDeals(
  services: CachingDb,
  name: string,
  tag: string,
  findIds: (db: Db) => Promise<number[]>,
): Promise<DealSummary[]> {
  const { db } = services;
  return listDealsByIds(db, await cacheValue(services, name, [tag], () => findIds(db)));
}

/** Returns the active deals among `ids`, in the order of `ids`. */
export async function listDealsByIds(db: Db, ids: number[]): Promise<DealSummary[]> {
  if (ids.length === 0) return [];
  const rows = await ask(db).rows<DealSummaryRow>`/* often */
    select ${dealSummaryColumns}
      from unnest(${ids}::bigint[]) with ordinality wanted (id, place)
      join deals d on d.id = wanted.id ${dealSummaryJoins}
     where d.is_active
     order by wanted.place`;
  return rows.map(asDealSummary);
}

/**
 * Returns the live deals of a page. A list without filters is read in the order of an index, and
 * its length from a stored counter. With filters, matches are gathered first. If they are few, they
 * are sorted here. If there are more than pages can show, they are so frequent that an index scan
 * soon fills a page. Neither reads much of the table. `count` is exact unless `isCapped`, which
 * means that there are more.
 */
async function listLive(db: Db, filter: DealScope, order: Order, offset: number) {
  const stored = await readStoredCount(db, filter);
  if (stored && (stored.count > mostListed || isIndexed(filter, order))) {
    const ids = await scanLive(db, filter, order, pageSize, offset);
    const count =
      ids.length === pageSize ? stored.count : await exactCount(db, filter, stored, ids, offset);
    return { ids, count, isCapped: false, storeCount: await countStores(db, filter, stored) };
  }
  const gathered = await gatherLive(db, filter, order, offset);
  return (
    gathered ?? {
      ids: await scanLive(db, filter, order, pageSize, offset),
      count: stored?.count ?? mostListed + 1,
      isCapped: !stored,
      storeCount: null,
    }
  );
}

function isIndexed(filter: DealScope, order: Order): boolean {
  if (filter.merchantId !== undefined) return order.isIndexedIn.includes('merchant');
  return filter.categoryId === undefined || order.isIndexedIn.includes('category');
}

/**
 * Returns the exact count on the last live page, since the counter may include deals expired since.
 */
async function exactCount(
  db: Db,
  filter: DealScope,
  stored: StoredCount,
  ids: number[],
  offset: number,
): Promise<number> {
  if (ids.length > 0 || offset === 0) return offset + ids.length;
  const lapsed = await ask(db).value<number>`
    select count(*) from deals where ${lapsedScope} and ${conditionOf(filter)}`;
  return stored.count - (lapsed ?? 0);
}

/**
 * Returns the matches of a page, or `null` if there are more than pages can show. Counting comes
 * first, since it costs half of gathering.
 */
async function gatherLive(db: Db, filter: DealScope, order: Order, offset: number) {
  const found = await ask(db).row<{ ids: number[] | null; count: number; stores: number | null }>`
    with found as materialized (
      select id, created_at, sale_price, discount_percent, observed_percent, checked_percent, merchant_id ${order.reads ?? sql``}
        from deals where ${liveScope} and ${conditionOf(filter)} limit ${mostListed + 1}
    ), counted as materialized (
      select count(*) as count
        from (select from deals where ${liveScope} and ${conditionOf(filter)} limit ${mostListed + 1}) matches
    )
    select count,
           case when count <= ${mostListed} then
             (select count(*) from (select from found group by merchant_id) merchants) end as stores,
           case when count <= ${mostListed} then
             array(select id from found order by ${order.by} limit ${pageSize} offset ${offset}) end as ids
      from counted`;
  if (!found?.ids) return null;
  const { count, stores: storeCount } = found;
  return { ids: found.ids.map(Number), count, isCapped: false, storeCount };
}

interface StoredCount {
  count: number;
  stores: number | null;
}

/** Returns the stored counter of the site, a category or a merchant; `null` for other lists. */
async function readStoredCount(db: Db, filter: DealScope): Promise<StoredCount | null> {
  const { categoryId, merchantId, ...others } = filter;
  if (Object.values(others).some((value) => value !== undefined)) return null;
  if (categoryId !== undefined && merchantId !== undefined) return null;
  const query =
    categoryId !== undefined
      ? sql`select deal_count as count, null::int as stores from categories where id = ${categoryId}`
      : merchantId !== undefined
        ? sql`select deal_count as count, least(deal_count, 1) as stores from merchants where id = ${merchantId}`
        : sql`select value as count, (select count(*) from merchants where deal_count > 0) as stores
                from site_counters where name = 'live_deals'`;
  return (await ask(db).row<StoredCount>`${query}`) ?? { count: 0, stores: 0 };
}

async function countStores(db: Db, filter: DealScope, stored: StoredCount): Promise<number | null> {
  if (stored.stores !== null) return stored.stores;
  if (stored.count > mostListed) return null;
  return (
    (await ask(db).value<number>`
    select count(*) from (
      select from deals where ${liveScope} and ${conditionOf(filter)} group by merchant_id) stores`) ??
    0
  );
}

/** Counts expired deals up to `most`. */
async function countExpired(db: Db, filter: DealScope, most: number): Promise<number> {
  if (most <= 0 || filter.dealType === 'expiring' || filter.evidence) return 0;
  return (
    (await ask(db).value<number>`
    select count(*) from (
      select from deals where ${expiredScope} and ${conditionOf(filter)}
      union all
      select from deals where ${lapsedScope} and ${conditionOf(filter)}
      limit ${most}) expired`) ?? 0
  );
}

async function listExpired(db: Db, filter: DealScope, limit: number, offset: number) {
  return ask(db).column<number>`
    select id from (
      select id, created_at from deals where ${expiredScope} and ${conditionOf(filter)}
      union all
      select id, created_at from deals where ${lapsedScope} and ${conditionOf(filter)}) expired
     order by ${newestFirst.by} limit ${limit} offset ${offset}`;
}
