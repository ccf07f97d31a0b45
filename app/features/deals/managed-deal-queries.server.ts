import { type RawBuilder, sql } from 'kysely';
import { readCounters } from '#app/platform/site-counters.server.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { containsIn, foldedContains } from '#app/platform/contains-in.server.ts';
import { fold } from '#app/platform/fold.ts';
import { hasTrigram } from '#app/platform/like-pattern.ts';
import { pageOf, rowsPerPage, type TablePage } from '#app/platform/table-query.ts';
import { columnList } from './deal-column-sql.server.ts';
import type { DealColumns } from './deal-columns.ts';
import { isReportedExpired, isReportedMisplaced } from './deal-conditions.server.ts';
import { estimateDeals } from './estimate-deals.server.ts';
import type { DealsQuery, ManagedDealFilter } from './deals-table.ts';
import { findDealsByClicks } from './find-deals-by-clicks.server.ts';
import { type Key, type Order, orderOf, type PartedQuery } from './managed-deal-orders.server.ts';

const listed = [
  'id',
  'slug',
  'title',
  'sale_price',
  'original_price',
  'held_price',
  'currency',
  'waits_for_price',
  'is_active',
  'is_featured',
  'is_expired',
  'expires_at',
  'created_at',
  'updated_at',
  'discount_percent',
  'availability',
  'merchant_id',
] as const;

/** A deal as listed in the admin. Prices are in minor units. */
export interface ManagedDeal extends DealColumns<(typeof listed)[number]> {
  /** The URL of the picture that pages show. */
  picture: string | null;
  /** The link that was checked, if it is broken. */
  broken_url: string | null;
  /** The numbers of people who reported the deal as expired, and as a different product. */
  reported: number;
  misplaced: number;
  /** The number of clicks in the last 30 days. */
  clicks: number;
  merchant: string;
  category: string;
}

/**
 * deals; fewer expected matches are read row by row, more by a full scan of this list's indexes
 */
const fewMatches = 10_000;

/**
 * Returns a page of all deals. Two indexes cover filters, searches and orders, so that only the
 * page's own rows are read from the table.
 */
export async function listManagedDeals(db: Db, query: DealsQuery): Promise<TablePage<ManagedDeal>> {
  const condition = await cheapestCondition(db, query);
  if (!isParted(query)) {
    // Deals without clicks are sorted by creation date instead.
    if (query.filters.show === 'unclicked')
      return listManagedDeals(db, { ...query, sort: 'created' });
    return listByClicks(db, condition, query);
  }
  if (query.search !== '' && !orderOf(query).isWithin) return listGathered(db, condition, query);
  const parts = await countParts(db, condition, query);
  const total = parts.reduce((sum, { count }) => sum + count, 0);
  const { offset, ...place } = pageOf(query, total);
  const ids = await findIds(db, condition, query, parts, offset);
  return { rows: await readManagedDeals(db, ids), total, ...place };
}

function isParted(query: DealsQuery): query is PartedQuery {
  return query.sort !== 'clicks';
}

/**
 * Returns a page of a search whose order has no index. Searching titles is the slowest step, so one
 * query counts the matches of each part and collects their ids. A page spans one or two parts.
 */
async function listGathered(
  db: Db,
  condition: RawBuilder<boolean>,
  query: PartedQuery,
): Promise<TablePage<ManagedDeal>> {
  const { part, by, isByName } = orderOf(query);
  const [key] = by.length > 1 ? by : [];
  const direction = query.isDescending ? sql`desc` : sql`asc`;
  const order = (columns: string[]) =>
    sql.join(columns.map((column) => sql`${sql.raw(column)} ${direction}`));
  const asked = (query.page - 1) * rowsPerPage;
  const found = await ask(db).row<{ total: number; ids: number[] }>`
    with parts as materialized (
      select ${part} as part, count(*) as count, array_agg(d.id) as ids ${key ? sql`, array_agg(${key}) as keys` : sql``}
        from deals d where ${condition} group by 1),
    placed as (
      select part, row_number() over ranked as place, sum(count) over ranked as until,
             sum(count) over ranked - count as before, sum(count) over () as total
        from parts ${isByName ? sql`join merchants m on m.id = part` : sql``}
      window ranked as (order by ${order(isByName ? ['lower(m.name)', 'm.id'] : ['part'])})),
    cut as (
      select placed.*, page.first from placed,
             lateral (select least(${asked}, (total - 1)::bigint / ${rowsPerPage} * ${rowsPerPage}) as first) page
       where until > page.first and before < page.first + ${rowsPerPage})
    select (select coalesce(max(total), 0)::bigint from cut) as total, array(
      select id from cut join parts using (part), ${key ? sql`unnest(ids, keys) as d (id, key)` : sql`unnest(ids) as d (id)`}
       order by place, ${order(key ? ['key', 'id'] : ['id'])}
       limit ${rowsPerPage} offset (select max(first - before) from cut)) as ids`;
  const { total = 0, ids = [] } = found ?? {};
  const { page, pageCount } = pageOf(query, total);
  return { rows: await readManagedDeals(db, ids.map(Number)), total, page, pageCount };
}

async function listByClicks(
  db: Db,
  condition: RawBuilder<boolean>,
  query: DealsQuery,
): Promise<TablePage<ManagedDeal>> {
  const total = isAll(query) ? await countManagedDeals(db, query) : undefined;
  const { rows, ...place } = await findDealsByClicks(db, { ...query, condition, total });
  return { rows: await readManagedDeals(db, rows), ...place };
}

export async function countManagedDeals(db: Db, filter: ManagedDealFilter): Promise<number> {
  const counted = isAll(filter)
    ? sql`select value from site_counters where name = 'all_deals'`
    : sql`select count(*) from deals d where ${managedCondition(filter)}`;
  return (await ask(db).value<number>`${counted}`) ?? 0;
}

function isAll({ search, filters }: ManagedDealFilter): boolean {
  return search === '' && Object.values(filters).every((value) => value === null);
}

/** Returns the ids of all deals that match the filter. */
export async function listManagedIds(db: Db, filter: ManagedDealFilter): Promise<number[]> {
  return ask(db).column<number>`
    select d.id from deals d where ${managedCondition(filter)} order by d.id`;
}

/** Returns the stat cards' numbers. "Active" counts what visitors see, like the filter. */
export async function countDealFigures(db: Db) {
  const figure = await readCounters(db, 'deals');
  return {
    total: figure('all'),
    active: figure('live'),
    featured: figure('featured'),
    expired: figure('expired'),
  };
}

/** Converts a filter to a condition on `deals d`. */
export function managedCondition(
  { search, filters }: ManagedDealFilter,
  contains = containsText(search),
): RawBuilder<boolean> {
  const { status, stock, seller, show, category, merchant } = filters;
  const parts: RawBuilder<unknown>[] = [sql`true`];
  if (search !== '') parts.push(contains);
  for (const [name, value] of Object.entries({ status, stock, seller, show })) {
    const condition = conditions[`${name} ${value}`];
    if (condition) parts.push(condition);
  }
  if (category !== null) parts.push(sql`d.category_id = ${Number(category)}`);
  if (merchant !== null) parts.push(sql`d.merchant_id = ${Number(merchant)}`);
  return sql`(${sql.join(parts, sql` and `)})`;
}

/**
 * Returns the fastest condition for a search in titles and merchant names. Rare words are found by
 * the trigram index and read row by row. Common words are searched in one of the list's indexes,
 * which contains folded titles.
 */
async function cheapestCondition(db: Db, filter: ManagedDealFilter) {
  const { search } = filter;
  if (search === '') return managedCondition(filter);
  const inTexts = foldedContains([fold(search)], 'title');
  const named = await ask(db).rows<{ id: number; deal_count: number }>`
    select id, deal_count from merchants where ${containsIn(search, 'name')}`;
  const ofNamed = named.reduce((sum, merchant) => sum + merchant.deal_count, 0);
  const isRare =
    hasTrigram(search) && ofNamed < fewMatches && (await estimateDeals(db, inTexts)) < fewMatches;
  const inTitle = isRare
    ? sql`d.id = any(array(select deal_id from deal_texts where ${inTexts}))`
    : titleContains(search);
  const ids = named.map(({ id }) => id);
  // Merchants are compared first, which is faster than searching a title.
  const ofMerchants = sql`d.merchant_id = any(${ids}::bigint[])`;
  return managedCondition(filter, ids.length > 0 ? sql`(${ofMerchants} or ${inTitle})` : inTitle);
}

function containsText(search: string): RawBuilder<unknown> {
  const named = sql`select id from merchants where ${containsIn(search, 'name')}`;
  return sql`(${titleContains(search)} or d.merchant_id in (${named}))`;
}

function titleContains(search: string): RawBuilder<unknown> {
  return sql`strpos(fold(d.title), ${fold(search)}) > 0`;
}

// A scalar subquery, since a join would be executed before the sort.
const isVerified = sql`(d.merchant_id in (select id from merchants where is_featured))`;
// A deal matches the state that its row shows. An expired deal is shown as expired, whether active
// or not.
const conditions: Record<string, RawBuilder<unknown> | undefined> = {
  // With `and`, the planner would use an index of live deals, which lacks the list's other columns.
  'status active': sql`d.is_active > d.is_expired`,
  'status expired': sql`d.is_expired`,
  'status inactive': sql`(not d.is_active and not d.is_expired)`,
  'stock in': sql`d.availability = 'in_stock'`,
  'stock out': sql`d.availability = 'out_of_stock'`,
  'seller verified': sql`${isVerified} is true`,
  'seller unverified': sql`${isVerified} is false`,
  'show featured': sql`d.is_featured`,
  'show expired': sql`d.is_expired`,
  'show no-picture': sql`d.image_url is null`,
  'show waiting': sql`d.waits_for_price`,
  'show held': sql`d.held_price is not null`,
  'show broken-link': sql`d.link_broken_since is not null and d.link_trusted_at is null and d.is_active and not d.is_expired`,
  'show reported': isReportedExpired,
  'show misplaced': isReportedMisplaced,
  'show unclicked': sql`(d.is_active > d.is_expired and d.created_at < now() - interval '30 days' and not exists (select from recent_clicks c where c.deal_id = d.id))`,
  'show demo': sql`d.is_demo`,
};

/** Deals with one of a few adjacent keys, or with any key if `keys` is empty. */
interface Part {
  keys: Key[];
  count: number;
}

async function countParts(
  db: Db,
  condition: RawBuilder<boolean>,
  query: PartedQuery,
): Promise<Part[]> {
  const { part, isByName, isApart, isWithin } = orderOf(query);
  if (isAll(query) && isApart) return countStates(db, query);
  // Scanning half an index is cheaper than counting parts, unless every title is searched or every
  // deal's clicks are read.
  const isWalked = isWithin && query.search === '' && query.filters.show !== 'unclicked';
  if (isWalked) return [{ keys: [], count: await countManagedDeals(db, query) }];
  const byName = sql`join merchants m on m.id = part order by lower(m.name), m.id`;
  const counted = await ask(db).rows<{ part: Key; count: number }>`
    select part, count
      from (select ${part} as part, count(*) as count from deals d where ${condition} group by 1) parts
      ${isByName ? byName : sql`order by part`}`;
  const parts = counted.map(({ part: key, count }) => ({ keys: [key], count }));
  return query.isDescending ? parts.toReversed() : parts;
}

async function countStates(db: Db, { isDescending }: DealsQuery): Promise<Part[]> {
  const figure = await readCounters(db, 'deals');
  const [first, last] = [
    { keys: [false], count: figure('all') - figure('active') },
    { keys: [true], count: figure('active') },
  ];
  return isDescending ? [last, first] : [first, last];
}

/** Returns the ids of the page that begins at `offset` of these parts. */
async function findIds(
  db: Db,
  condition: RawBuilder<boolean>,
  query: PartedQuery,
  parts: Part[],
  offset: number,
): Promise<number[]> {
  const found: number[] = [];
  for (const { from, to, ...part } of cutOut(parts, offset, orderOf(query))) {
    found.push(...(await findIdsOfPart(db, condition, query, part, from, to)));
  }
  return found;
}

/**
 * Returns the parts that a page spans, each with the range of its rows on the page. Adjacent parts
 * are merged where possible.
 */
function cutOut(parts: Part[], offset: number, { isApart }: Order) {
  const cuts: (Part & { from: number; to: number })[] = [];
  let before = 0;
  for (const { keys, count } of parts) {
    const from = Math.max(0, offset - before);
    const to = Math.min(count, offset + rowsPerPage - before);
    before += count;
    if (from >= to) continue;
    const last = isApart ? undefined : cuts.at(-1);
    if (last) {
      last.keys.push(...keys);
      last.to = last.count + to;
      last.count += count;
    } else cuts.push({ keys: [...keys], count, from, to });
  }
  return cuts;
}

/** Reads rows in the second half of a part from the other end. */
async function findIdsOfPart(
  db: Db,
  condition: RawBuilder<boolean>,
  query: PartedQuery,
  { keys, count }: Part,
  from: number,
  to: number,
): Promise<number[]> {
  const { by, isByName } = orderOf(query);
  const isFromEnd = from > count / 2;
  const direction = query.isDescending === isFromEnd ? sql`asc` : sql`desc`;
  const order = by.map((column) => sql`${column} ${direction}`);
  if (isByName) {
    const place = sql`array_position(${keys}::bigint[], d.merchant_id)`;
    order.unshift(sql`${place} ${isFromEnd ? sql`desc` : sql`asc`}`);
  }
  const ids = await ask(db).column<number>`
    select d.id from deals d where ${isOfKeys(query, keys)} and ${condition}
     order by ${sql.join(order)} limit ${to - from} offset ${isFromEnd ? count - to : from}`;
  return isFromEnd ? ids.toReversed() : ids;
}

function isOfKeys(query: PartedQuery, keys: Key[]): RawBuilder<unknown> {
  const { part, isByName, isWithin } = orderOf(query);
  const [one, other] = [keys[0], keys.at(-1)];
  if (one === undefined || other === undefined) return sql`true`;
  if (isWithin) return query.isDescending ? isWithin(other, one) : isWithin(one, other);
  // The `+ 0` keeps the planner from using an index on merchants, which would read the rows of
  // each merchant.
  const key = isByName ? sql`${part} + 0` : part;
  return sql`${key} in (${sql.join(keys)})`;
}

async function readManagedDeals(db: Db, ids: number[]): Promise<ManagedDeal[]> {
  if (ids.length === 0) return [];
  return ask(db).rows<ManagedDeal>`
    select ${columnList(listed, 'd')}, m.name as merchant, c.name as category,
           shown_picture(d.image_url, m.keeps_pictures) as picture,
           case when d.link_broken_since is not null and d.link_trusted_at is null then d.deal_url end as broken_url,
           coalesce(followed.count, 0) as clicks, reports.*
      from unnest(${ids}::bigint[]) with ordinality wanted (id, place)
      join deals d on d.id = wanted.id
      join merchants m on m.id = d.merchant_id
      join categories c on c.id = d.category_id
      left join recent_clicks followed on followed.deal_id = d.id
      cross join lateral (select count(*) filter (where about = 'over') as reported, count(*) filter (where about = 'product') as misplaced from deal_reports where deal_id = d.id) reports
     order by wanted.place`;
}
