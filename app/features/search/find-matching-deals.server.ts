import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#database/connect.ts';
import { estimateDeals } from './estimate-rows.server.ts';
import type { SearchInput, SearchSort } from './search-input.ts';
import { containsPattern, type SearchTerms, startsWithPattern } from './search-terms.server.ts';

export interface MatchingDeals {
  /** In the wanted order, at most `mostMatches`. */
  ids: number[];
  /** True when there are more than these. */
  isCapped: boolean;
}

type Filters = Pick<SearchInput, 'sort' | 'minPrice' | 'maxPrice'>;
type Scope = 'live' | 'expired';

/** Nobody pages through more; counting on would cost more than showing. */
export const mostMatches = 1_000;

/**
 * Reading a matching row through an index costs about two microseconds. Up to this many, all matches are read
 * and ranked; where the planner expects more, `scanInOrder` takes over.
 */
const readAllUpTo = 8_000;
/** Rows looked at in the order wanted, where a word is too common, or too short for an index, to read all of it. */
const rowsScanned = { newest: 20_000, price: 10_000 };
/** A trigram index knows fragments of three characters. */
const shortestFragment = 3;

/**
 * The active deals a query matches: every word occurs in the title or the description, whole (in any inflection) or as
 * a part. Live deals stand before expired ones (decision 4).
 *
 * Every search takes bounded time on any number of deals. The bounds, which a shop of up to 20,000 deals never
 * meets: a word in more than about 8,000 deals is looked for in the order wanted, in the 20,000 newest deals or
 * the 10,000 cheapest or dearest, as a whole word or a beginning; a fragment of one or two characters, or one that
 * very many deals contain, in the 20,000 newest.
 */
export async function findMatchingDeals(
  db: Db,
  terms: SearchTerms,
  filters: Filters,
): Promise<MatchingDeals> {
  const live = await findInScope(db, terms, filters, 'live', mostMatches);
  if (live.isCapped) return live;
  const expired = await findInScope(db, terms, filters, 'expired', mostMatches - live.ids.length);
  return { ids: [...live.ids, ...expired.ids], isCapped: expired.isCapped };
}

async function findInScope(
  db: Db,
  terms: SearchTerms,
  filters: Filters,
  scope: Scope,
  limit: number,
): Promise<MatchingDeals> {
  const range = sql<boolean>`${inScope(scope)} and ${inPriceRange(filters)}`;
  const expected = await estimateDeals(db, sql`${range} and ${hasWords(terms)}`);
  if (expected > readAllUpTo) return scanInOrder(db, terms, filters, scope, limit);

  const hasIndex = terms.words.some((word) => word.length >= shortestFragment);
  const readsAllParts =
    hasIndex && (await estimateDeals(db, sql`${range} and ${hasParts(terms)}`)) <= readAllUpTo;
  const withParts = readsAllParts
    ? sql`select ${columns} from deals where ${range} and ${hasParts(terms)} and ${hasWords(terms)} is not true`
    : sql`select ${columns} from ${scan('newest', scope)} newest
           where ${inPriceRange(filters)} and ${hasParts(terms)} and ${hasWords(terms)} is not true`;
  const ids = await rank(
    db,
    terms,
    filters.sort,
    sql`select ${columns} from deals where ${range} and ${hasWords(terms)} union all ${withParts}`,
    limit + 1,
  );
  return { ids: ids.slice(0, limit), isCapped: ids.length > limit };
}

/** For words so common that the first few thousand rows in the wanted order surely hold pages of them. */
async function scanInOrder(
  db: Db,
  terms: SearchTerms,
  filters: Filters,
  scope: Scope,
  limit: number,
): Promise<MatchingDeals> {
  const matches = sql`${inPriceRange(filters)} and ${hasWords(terms)}`;
  const order = filters.sort === 'relevance' || scope === 'expired' ? 'newest' : filters.sort;
  const inOrder = sql`(select ${columns} from ${scan(order, scope, filters)} scanned where ${matches} limit ${limit})`;
  const byTitle = sql`(select ${columns} from deals
     where ${inScope(scope)} and ${matches} and lower(title) like lower(${startsWithPattern(terms.text)}) limit 200)`;
  const found =
    filters.sort === 'relevance'
      ? sql`${inOrder} union ${byTitle}`
      : sql`select * from ${inOrder} found`;
  const ids = await rank(db, terms, filters.sort, found, limit);
  if (ids.length >= enough || order === 'newest' || order === 'oldest')
    return { ids, isCapped: true };

  // All the cheapest (or dearest) deals are something else: go on with the newest matches, in order of price.
  const more = await rank(
    db,
    terms,
    filters.sort,
    sql`select ${columns} from ${scan('newest', scope)} scanned where ${matches} limit ${limit}`,
    limit,
  );
  return { ids: [...new Set([...ids, ...more])].slice(0, limit), isCapped: true };
}

const enough = 100;

async function rank(
  db: Db,
  terms: SearchTerms,
  sort: SearchSort,
  found: RawBuilder<unknown>,
  limit: number,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with found as materialized (${found})
    select id from found order by ${sort === 'relevance' ? byRelevance(terms) : ordersOf[sort]} limit ${limit}`.execute(
    db,
  );
  return rows.map((row) => row.id);
}

const columns = sql`id, title, search, sale_price, created_at`;

const ordersOf = {
  newest: sql`created_at desc, id desc`,
  oldest: sql`created_at, id`,
  price_low: sql`sale_price, id`,
  price_high: sql`sale_price desc, id desc`,
};

/** The title itself, its beginning, whole words in it, whole words anywhere, parts; then the full text rank, then age. */
function byRelevance(terms: SearchTerms): RawBuilder<unknown> {
  const whole = sql`${terms.wholeQuery}::tsquery`;
  return sql`
    case when lower(title) = lower(${terms.text}) then 0
         when lower(title) like lower(${startsWithPattern(terms.text)}) then 1
         when search @@ ${terms.titleQuery}::tsquery then 2
         when search @@ ${whole} then 3
         when ${sql.join(
           terms.words.map((word) => sql`title ilike ${containsPattern(word)}`),
           sql` and `,
         )} then 4
         else 5 end,
    coalesce(ts_rank(search, ${terms.prefixQuery}::tsquery), 0) desc, created_at desc, id desc`;
}

/** The first rows of a list's index, whatever they are; the condition comes after, so that the work is bounded. */
function scan(
  order: Exclude<SearchSort, 'relevance'>,
  scope: Scope,
  filters?: Filters,
): RawBuilder<unknown> {
  const isByPrice = order === 'price_low' || order === 'price_high';
  const range = isByPrice && filters ? sql`and ${inPriceRange(filters)}` : sql``;
  const rows = isByPrice ? rowsScanned.price : rowsScanned.newest;
  return sql`(select ${columns}, description from deals where ${inScope(scope)} ${range}
               order by ${ordersOf[order]} limit ${rows})`;
}

function inScope(scope: Scope): RawBuilder<boolean> {
  return scope === 'live' ? sql`is_active and not is_expired` : sql`is_active and is_expired`;
}

function inPriceRange(filters: Filters): RawBuilder<boolean> {
  const { minPrice, maxPrice } = filters;
  const from = minPrice === null ? sql`true` : sql`sale_price >= ${minPrice}::integer`;
  const to = maxPrice === null ? sql`true` : sql`sale_price <= ${maxPrice}::integer`;
  return sql`(${from} and ${to})`;
}

function hasWords(terms: SearchTerms): RawBuilder<boolean> {
  return sql`(search @@ ${terms.prefixQuery}::tsquery)`;
}

function hasParts(terms: SearchTerms): RawBuilder<boolean> {
  const parts = terms.words.map((word) => {
    const pattern = containsPattern(word);
    return sql`(title ilike ${pattern} or description ilike ${pattern})`;
  });
  return sql`(${sql.join(parts, sql` and `)})`;
}
