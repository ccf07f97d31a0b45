import { sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { defaultSettings, type PriceClaims } from '#app/features/site-settings/site-settings.ts';
import { cacheValue } from '#app/platform/app-context.server.ts';
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
import { newestFirst, type Order, orderOf, readBest, readLive } from './deal-orders.server.ts';
import {
  asDealSummary,
  type DealSummary,
  dealSummaryColumns,
  dealSummaryJoins,
  type DealSummaryRow,
} from './deal-summary-columns.server.ts';
import {
  everyDeal,
  firstOf,
  shownIds,
  isFirstExpired,
  listOnce,
  type ReadFirst,
} from './list-products-once.server.ts';
import {
  type CachingDb,
  countExpired,
  countPlace,
  mostListed,
  pageSize,
  type ReadList,
  readStoredCount,
} from './deal-list-counts.server.ts';
import { placeTags } from './page-tags.ts';

export { pageSize } from './deal-list-counts.server.ts';
export type { DealSummary } from './deal-summary-columns.server.ts';

export interface DealList extends DealPlaces {
  deals: DealSummary[];
}

/** The deals on a list's page in order, with their total. */
interface DealPlaces {
  ids: number[];
  /**
   * The number of live and expired deals. With `isTotalCapped` there are more. Expired deals are
   * not counted once live deals fill all pages.
   */
  total: number;
  isTotalCapped: boolean;
  /** The number of expired deals in the total, which come last. */
  expiredTotal: number;
  /** Whether a card represents several deals of a product. */
  isCollapsed: boolean;
  /** The number of cards of live deals, if known and lower than the number of live deals. */
  productTotal: number | null;
  page: number;
  pageCount: number;
  /** The number of merchants of the live deals. `null` if counting would read too many rows. */
  storeCount: number | null;
}

interface DealListQuery {
  filter: DealFilter;
  sort: ListSort;
  /** A page number from 1 to `deepestPage`. */
  page: number;
  priceClaims?: PriceClaims;
  /** Lists every deal instead of each product once. */
  isEveryDeal?: boolean;
}

/**
 * Returns a page of live deals in the requested order, then of expired ones, newest first. The
 * first deal of a product represents all of them. Totals are numbers of deals, while a page's
 * length is a number of cards.
 */
export async function listDeals(services: CachingDb, query: DealListQuery): Promise<DealList> {
  const { db } = services;
  const name = `list ${JSON.stringify(query)}`;
  const places = await cacheValue(services, name, placeTags(query), () =>
    findPlaces(services, query),
  );
  return { ...places, deals: await listDealsByIds(db, places.ids) };
}

async function findPlaces(
  services: CachingDb,
  {
    filter,
    sort,
    page,
    priceClaims = defaultSettings.priceClaims,
    isEveryDeal = false,
  }: DealListQuery,
): Promise<DealPlaces> {
  const { db } = services;
  const list: ReadList = {
    scope: await scopeOf(db, filter, sort),
    order: orderOf(sort, priceClaims),
    offset: (page - 1) * pageSize,
    isOnce: !isEveryDeal && filter.merchantId === undefined,
  };
  const live = await listLive(services, list);
  const cards = live.cards ?? mostListed + 1;
  const most = mostListed + 1 - cards;
  const over = await countExpired(db, list, most);
  const missing = pageSize - live.ids.length;
  const expired =
    missing > 0 && over.cards > 0
      ? await listExpired(db, list, missing, Math.max(0, list.offset - cards))
      : [];
  const isOverCapped = most > 0 && over.count >= most;
  const listed = live.count + over.count - (isOverCapped ? 1 : 0);
  const total = live.isCapped ? mostListed : listed;
  return {
    ids: [...live.ids, ...expired],
    total,
    isTotalCapped: live.isCapped || isOverCapped,
    expiredTotal: Math.min(over.count, Math.max(0, total - live.count)),
    isCollapsed: live.isCollapsed || over.cards < over.count,
    productTotal: live.cards !== null && live.cards < live.count ? live.cards : null,
    page,
    pageCount: Math.max(1, Math.ceil(Math.min(cards + over.cards, mostListed) / pageSize)),
    storeCount: live.storeCount,
  };
}

export function listFeaturedDeals(services: CachingDb, limit: number): Promise<DealSummary[]> {
  const read: ReadFirst = (most) => sql`
    select id, product_id from deals where ${liveScope} and is_featured
     order by ${newestFirst.by} limit ${most}`;
  return listFirstDeals(services, 'featured', limit, read);
}

/**
 * Returns the deals furthest below their usual price, or the newest where no price has a history
 * yet.
 */
export function listBestDeals(services: CachingDb, limit: number): Promise<DealSummary[]> {
  return listFirstDeals(services, 'best', limit, (most) => readBest({}, most));
}

export function listRecentDeals(services: CachingDb, limit: number): Promise<DealSummary[]> {
  return listFirstDeals(services, 'recent', limit, (most) => readLive({}, newestFirst, most));
}

async function listFirstDeals(
  services: CachingDb,
  name: string,
  limit: number,
  read: ReadFirst,
): Promise<DealSummary[]> {
  const { db } = services;
  const find = async () => (await listOnce(db, read, { limit })).ids;
  return listDealsByIds(db, await cacheValue(services, `${name} ${limit}`, ['deals'], find));
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

/** The live deals of a page, with the known counts of the whole list. */
interface LivePage {
  ids: number[];
  /** The number of live deals in the list. With `isCapped` there are more. */
  count: number;
  isCapped: boolean;
  /** The number of cards on all pages. `null` means more than fit there. */
  cards: number | null;
  isCollapsed: boolean;
  storeCount: number | null;
}

/**
 * Returns the live deals of a page. A list without filters is read in the order of an index, and
 * its length from a stored counter. With filters, matches are gathered first. If they are few, they
 * are sorted here. If there are more than pages can show, they are so frequent that an index scan
 * soon fills a page. Neither reads much of the table. `count` is exact unless `isCapped`, which
 * means that there are more.
 */
async function listLive(services: CachingDb, list: ReadList): Promise<LivePage> {
  const { db } = services;
  const { scope, order, offset, isOnce } = list;
  const stored = await readStoredCount(db, scope);
  if (!stored || (stored.count <= mostListed && !isIndexed(scope, order))) {
    const gathered = await gatherLive(db, list);
    if (gathered) return gathered;
  }
  const own: ReadFirst = (most) => readLive(scope, order, most);
  const read = isOnce || scope.merchantId !== undefined ? own : everyDeal(own);
  const { ids, deals, cards, isWhole } = await listOnce(db, read, { limit: pageSize, offset });
  const place = stored && (await countPlace(services, list, stored));
  // The counter may include newly expired deals, so deals are counted if the whole list was read.
  const count = stored ? (isWhole ? deals : stored.count) : mostListed + 1;
  const known = place && count - place.repeats;
  return {
    ids,
    count,
    isCapped: !stored,
    cards: isWhole ? cards : known,
    isCollapsed: cards < deals || (place?.repeats ?? 0) > 0,
    storeCount: place?.stores ?? stored?.stores ?? null,
  };
}

function isIndexed(scope: DealScope, order: Order): boolean {
  if (scope.merchantId !== undefined) return order.isIndexedIn.includes('merchant');
  return scope.categoryId === undefined || order.isIndexedIn.includes('category');
}

/**
 * The number of deals sorted per card. Sorting more costs little, since the matches were read
 * anyway.
 */
const sortedForCard = 4;

/**
 * Returns the matches of a page, or `null` if there are more than pages can show. Counting comes
 * first, since it costs half of gathering.
 */
async function gatherLive(
  db: Db,
  { scope, order, offset, isOnce }: ReadList,
  most = (offset + pageSize) * sortedForCard,
): Promise<LivePage | null> {
  const product = isOnce ? sql`product_id` : sql`null::bigint as product_id`;
  const found = await ask(db).row<{
    ids: number[] | null;
    count: number;
    cards: number;
    stores: number | null;
  }>`
    with found as materialized (
      select id, ${product}, created_at, sale_price, discount_percent, observed_percent, checked_percent, merchant_id ${order.reads ?? sql``}
        from deals where ${liveScope} and ${conditionOf(scope)} limit ${mostListed + 1}
    ), counted as materialized (
      select count(*) as count
        from (select from deals where ${liveScope} and ${conditionOf(scope)} limit ${mostListed + 1}) matches
    ), ${firstOf(sql`select id, product_id from found order by ${order.by} limit ${most}`)}
    select count,
           case when count <= ${mostListed} then
             (select count(*) from (select from found group by merchant_id) merchants) end as stores,
           case when count <= ${mostListed} then count - (
             select coalesce(sum(offers - 1), 0)::bigint
               from (select count(*) as offers from found where product_id is not null group by product_id) products) end as cards,
           case when count <= ${mostListed} then ${shownIds(pageSize, offset)} end as ids
      from counted`;
  if (!found?.ids) return null;
  const { count, cards, stores: storeCount } = found;
  const ids = found.ids.map(Number);
  if (ids.length < Math.min(pageSize, cards - offset) && most < count)
    return gatherLive(db, { scope, order, offset, isOnce }, count);
  return { ids, count, cards, isCapped: false, isCollapsed: cards < count, storeCount };
}

async function listExpired(
  db: Db,
  { scope, isOnce }: ReadList,
  limit: number,
  offset: number,
): Promise<number[]> {
  const matches = sql`${conditionOf(scope)} and ${isOnce ? isFirstExpired(scope, 'deals') : sql`true`}`;
  return ask(db).column<number>`
    select id from (
      select id, created_at from deals where ${expiredScope} and ${matches}
      union all
      select id, created_at from deals where ${lapsedScope} and ${matches}) expired
     order by ${newestFirst.by} limit ${limit} offset ${offset}`;
}
