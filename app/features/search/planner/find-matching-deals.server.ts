import { type RawBuilder, sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import {
  conditionOf,
  hasKeptHistory,
  type DealScope,
  scopeOf,
} from '#app/features/deals/deal-conditions.server.ts';
import { estimateDeals } from '#app/features/deals/estimate-deals.server.ts';
import type { DealFilter } from '#app/features/deals/deal-list-input.ts';
import type { SearchSort } from '#app/features/deals/deal-sorts.ts';
import { startsWithPattern } from '#app/platform/like-pattern.ts';
import { firstInOrder, foundColumns, hasLapsed, ordersOf } from './order-matches.server.ts';
import { rankMatches } from './rank-matches.server.ts';
import { queryOf, type SearchTerms } from './search-terms.server.ts';
import { hasParts, hasPartsInTitle, hasWords, textsOf, waysToMatch } from './texts-of.server.ts';

export { queryOf, readSearchTerms, type SearchTerms } from './search-terms.server.ts';
export { type Alternative, relaxQuery } from './relax-query.server.ts';
export { synonymsIn } from './rank-titles.ts';

/** The filter and the order of the deals to find. */
export interface WantedDeals {
  sort: SearchSort;
  filter: DealFilter;
  /** Only for counts, which need no order. */
  isToCount?: boolean;
  /** If another spelling is known, parts of words are searched in titles only. */
  isMisspelled?: boolean;
  /** All deals that match with fewer filters, if they are known. */
  among?: readonly number[] | undefined;
}

/** No one pages through more, and counting further would cost more than showing. */
const mostMatches = 500;
/** With fewer matches, a slower complete query follows. */
const onePage = 20;

/** Up to this many deals are all read by the index of words, which takes 7 µs each. */
const readByWords = 5_000;
/** The same if the newest of more deals can be read instead. */
const readByAge = 2_000;
/** The index entries of words in more deals than this take longer than a scan of the first deals. */
const frequent = 50_000;
/** The first deals in the requested order that are scanned for frequent words: 5 µs each. */
const scanned = 3_000;
/** The expected matches among the newest deals, where less frequent words are read by the index. */
const newestMatches = 1_000;
/** Descriptions of the newest deals that are searched for parts of words: 4 µs each. */
const scannedForParts = { live: 1_500, expired: 250 };

/** The parameters of one query. */
interface SearchPlan {
  terms: SearchTerms;
  sort: SearchSort;
  scope: DealScope;
}

/**
 * Returns the active deals that match a query. Every term appears in the title or description, in
 * any inflection or as a synonym, or it names the category, store or brand. Live deals come before
 * expired ones.
 *
 * With fewer than 500 matches, those with the words as parts of others follow, with fewer than 20
 * also in descriptions. `isCapped` means that there may be more than returned.
 */
export async function findMatchingDeals(
  db: Db,
  terms: SearchTerms,
  { sort: wantedSort, filter, isToCount = false, isMisspelled = false, among }: WantedDeals,
) {
  const sort = isToCount ? 'newest' : wantedSort;
  const plan: SearchPlan = { terms, sort, scope: await scopeOf(db, filter, wantedSort) };
  if (among) return matching(db, plan, await inOrder(db, plan, narrowed(plan, among)), false);
  const found = await findWords(db, plan);
  if (found.isCapped) return matching(db, plan, found.rows, true);
  const inAll = await countInAll(db, plan, found);
  if (inAll >= mostMatches) return matching(db, plan, found.rows, false);
  const parts = await findParts(db, plan, isMisspelled || inAll >= onePage);
  const rows = await inOrder(db, plan, sql`${amongFound(plan, found.rows)} union all ${parts}`);
  return matching(db, plan, rows, rows.length > mostMatches);
}

interface FoundWords {
  rows: Match[];
  isCapped: boolean;
  /** Deals that statistics expect to have the words, without the filter. */
  expectedInAll: number;
}

interface Match {
  id: number;
  is_expired: boolean;
  tier: number;
  created_at: Date;
}

/**
 * Finds whole words. Rare words are found by their index, and a filter that few deals pass is read
 * first. Other words are found among the newest deals, or, if they are frequent, by reading the
 * first deals in the requested order.
 */
async function findWords(db: Db, plan: SearchPlan): Promise<FoundWords> {
  const { terms, sort, scope } = plan;
  const expectedInAll = await expectWords(db, terms);
  const all = async (found: RawBuilder<unknown>) => {
    const rows = await inOrder(db, plan, found);
    return { rows, isCapped: rows.length > mostMatches, expectedInAll };
  };
  const isFrequent = await areFrequent(db, terms, expectedInAll);
  const isByAge = ageSorts.has(sort);
  const readAll = isByAge && waysToMatch(terms).length === 1 ? readByAge : readByWords;
  if (!isFrequent && expectedInAll <= readAll) return all(withWords(plan, afterWords(scope)));
  const passing = await estimateDeals(db, sql`${isLive} and ${conditionOf(scope)}`, 'deals');
  if (passing <= scanned) return all(amongPassing(plan));
  const { categoryId, merchantId, status, sellerType, dealType } = scope;
  const ofTexts = conditionOf({ categoryId, merchantId, status, sellerType, dealType });
  const expected = await expectWords(db, terms, ofTexts);
  if (isFrequent || expected > readAll) {
    const since = isFrequent || !isByAge ? null : await findAge(db, newestMatches / expected);
    const some = since === null ? amongFirst(plan, passing) : amongNewest(plan, since);
    const rows = await inOrder(db, plan, some);
    if (rows.length >= onePage) return { rows, isCapped: true, expectedInAll };
  }
  return all(withWords(plan, isFrequent ? conditionOf(scope) : afterWords(scope)));
}

/** The number of deals that statistics expect to have all words and to pass a filter of texts. */
function expectWords(db: Db, terms: SearchTerms, ofTexts = sql<boolean>`true`): Promise<number> {
  return estimateDeals(db, sql`is_active and ${hasWords(terms)} and ${ofTexts}`);
}

/** Whether each term is frequent, even if few deals seem to have all (`expectedInAll`). */
async function areFrequent(db: Db, terms: SearchTerms, expectedInAll: number): Promise<boolean> {
  if (terms.terms.length < 2) return expectedInAll > frequent;
  for (const term of terms.terms) {
    if ((await expectWords(db, { ...terms, terms: [term] })) <= frequent) return false;
  }
  return true;
}

/** The time since which about this share of all deals was added, by statistics. */
async function findAge(db: Db, share: number): Promise<Date | null> {
  const time = await ask(db).value<Date | null>`
    select bounds[floor(cardinality(bounds) * ${1 - share}::float8)]
      from (select histogram_bounds::text::timestamptz[] as bounds from pg_stats
             where schemaname = current_schema and tablename = 'deal_texts' and attname = 'created_at') stats`;
  return time ?? null;
}

/**
 * The number of deals with whole words, without the filter: a filter shows no more parts of words
 * than the unfiltered search.
 */
async function countInAll(
  db: Db,
  { terms, scope }: SearchPlan,
  { rows, expectedInAll }: FoundWords,
): Promise<number> {
  if (Object.values(scope).every((option) => option === undefined)) return rows.length;
  if (expectedInAll > readByWords) return expectedInAll;
  const count = await ask(db).value<number>`
    select count(*) from (
      select from deal_texts where is_active and ${hasWords(terms)} limit ${mostMatches}) counted`;
  return count ?? rows.length;
}

/** All deals that contain the words of the query and pass the filters. */
function withWords(plan: SearchPlan, filter: RawBuilder<boolean>): RawBuilder<unknown> {
  const ways = waysToMatch(plan.terms).map((way) => sql`is_active and ${way} and ${filter}`);
  return once(...ways.map((condition) => inTexts(plan, 'words', condition)));
}

/**
 * A filter for deals with certain words. The index of traits has more entries than it saves, so
 * traits are compared deal by deal. Prices, which are joined, come last.
 */
function afterWords(scope: DealScope): RawBuilder<boolean> {
  const { categoryId, merchantId, status, sellerType, dealType } = scope;
  const ofPlace = conditionOf({ categoryId, merchantId });
  const ofTraits = conditionOf({ status, sellerType, dealType });
  return sql`${ofPlace} and (${ofTraits}) is true and (${conditionOf(scope)}) is true`;
}

/** The live deals with the words that were added since this time, and all whose titles begin so. */
function amongNewest(plan: SearchPlan, since: Date): RawBuilder<unknown> {
  const condition = sql`${isLive} and created_at >= ${since} and ${hasWords(plan.terms)} and ${afterWords(plan.scope)}`;
  const newest = inTexts(plan, 'words', condition);
  return plan.sort === 'relevance' ? once(newest, titled(plan)) : newest;
}

/** The live deals whose titles begin with the query. */
function titled(plan: SearchPlan): RawBuilder<unknown> {
  const first = sql`(select * from ${texts} where ${isLive} and title like ${startsWithPattern(plan.terms.text)}
    order by title using ~<~ limit ${mostMatches}) texts`;
  const condition = sql`${hasWords(plan.terms)} and ${conditionOf(plan.scope)}`;
  return inTexts(plan, 'words', condition, first);
}

/** The deals that pass the filters, of those that match. */
function narrowed(plan: SearchPlan, ids: readonly number[]): RawBuilder<unknown> {
  const among = sql`id = any(${ids}::bigint[]) and ${conditionOf(plan.scope)}`;
  const words = inTexts(plan, 'words', sql`${among} and ${hasWords(plan.terms)}`);
  const parts = inTexts(plan, 'parts', sql`${among} and ${hasWords(plan.terms)} is not true`);
  return sql`${words} union all ${parts}`;
}

/** The deals with the words that were found before, by their ids. */
function amongFound(plan: SearchPlan, rows: Match[]): RawBuilder<unknown> {
  return inTexts(plan, 'words', sql`id = any(${rows.map(({ id }) => id)}::bigint[])`);
}

/** All deals that pass the filters and have the words: their texts are read one by one. */
function amongPassing(plan: SearchPlan): RawBuilder<unknown> {
  const among = (state: RawBuilder<boolean>) =>
    withWordsAmong(
      plan,
      sql`select ${priceColumns} from deals where ${state} and ${conditionOf(plan.scope)}`,
    );
  return sql`${among(isLive)} union all ${among(isMarkedExpired)}`;
}

function withWordsAmong(plan: SearchPlan, rows: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select ${foundColumns(plan, 'words', true)} from (${rows}) chosen ${textsOf(sql`chosen.id`)}
     where ${hasWords(plan.terms)}`;
}

/**
 * The first live deals that pass the filters, in the requested order, and have the words. Few
 * passing deals are sorted, because an index of all deals in that order would be read for long.
 */
function amongFirst(plan: SearchPlan, passingCount: number): RawBuilder<unknown> {
  const { sort, scope } = plan;
  const passing = sql`${isLive} and ${conditionOf(scope)}`;
  const order = sort === 'relevance' || sort === 'best' ? 'newest' : sort;
  // A sort by relevance or price advantage chooses among more deals than it returns.
  const limit = order === sort ? mostMatches + 1 : newestMatches;
  const among = (rows: RawBuilder<unknown>) =>
    sql`(${withWordsAmong(plan, rows)} and not ${hasLapsed} limit ${limit})`;
  const sorted = passingCount <= frequent ? sql`offset 0` : sql``;
  const first = among(sql`
    select ${priceColumns} from (select ${priceColumns}, created_at from deals where ${passing} ${sorted}) passing
     order by ${ordersOf[order]} limit ${scanned}`);
  if (sort === 'relevance') return once(first, titled(plan));
  if (sort !== 'best') return first;
  const best = among(sql`
    select ${priceColumns} from price_proofs join deals on id = deal_id
     where below_usual is not null and ${hasKeptHistory} and ${passing}
     order by below_usual desc, deal_id desc limit ${scanned}`);
  return once(first, best);
}

/**
 * Finds deals that have the words only as parts of others: `phone` in `headphones`. Titles are
 * searched by their index of trigrams if a part is rare, descriptions only in the newest deals.
 */
async function findParts(
  db: Db,
  plan: SearchPlan,
  isInTitles: boolean,
): Promise<RawBuilder<unknown>> {
  const { terms, scope } = plan;
  const { categoryId, merchantId } = scope;
  const others = sql`${conditionOf(scope)} and ${hasWords(terms)} is not true`;
  const inTitle = hasPartsInTitle(terms.words);
  const inAllTitles = (await hasRarePart(db, terms))
    ? inTexts(plan, 'parts', sql`is_active and ${others} and ${inTitle}`)
    : null;
  if (inAllTitles && isInTitles) return inAllTitles;
  const newest = (state: RawBuilder<boolean>, rows: number): RawBuilder<unknown> =>
    sql`(select ${foundColumns(plan, 'parts', true)}
           from (select ${priceColumns}, description from deals
                  where ${state} and ${conditionOf({ categoryId, merchantId })}
                  order by ${ordersOf.newest} limit ${rows}) newest
           ${textsOf(sql`newest.id`)}
         where case when ${isInTitles ? inTitle : hasParts(terms)} then ${others} end limit ${mostMatches + 1})`;
  const inNewest = sql`${newest(isLive, scannedForParts.live)} union all ${newest(isMarkedExpired, scannedForParts.expired)}`;
  return inAllTitles ? once(inAllTitles, inNewest) : inNewest;
}

/** Whether statistics expect a part in few enough titles to read them all. */
async function hasRarePart(db: Db, terms: SearchTerms): Promise<boolean> {
  for (const word of terms.indexedParts.slice(0, 3)) {
    // Statistics are better for words than for parts; a part is at least as frequent as the words
    // it begins.
    const expected = await estimateDeals(
      db,
      sql`is_active and (search @@ (${queryOf(word)})::tsquery or ${hasPartsInTitle([word])})`,
    );
    if (expected <= scannedForParts.live) return true;
  }
  return false;
}

/**
 * Matches found in the texts alone. Prices are in another table, joined only to sort or filter by
 * them.
 */
function inTexts(
  plan: SearchPlan,
  matched: 'words' | 'parts',
  condition: RawBuilder<unknown>,
  rows = texts,
): RawBuilder<unknown> {
  const { sort, scope } = plan;
  const isPriced = ordersByPrice.has(sort) || hasPriceFilter(scope);
  const prices = sql`join (select ${priceColumns} from deals) prices using (id)`;
  return sql`select ${foundColumns(plan, matched, isPriced)} from ${rows} ${isPriced ? prices : sql``} where ${condition}`;
}

/** Whether a filter needs columns that only `deals` has. */
function hasPriceFilter({ condition, evidence, off, minPrice, maxPrice }: DealScope): boolean {
  return [condition, evidence, off, minPrice, maxPrice].some((bound) => bound !== undefined);
}

function inOrder(
  db: Db,
  { terms, sort }: SearchPlan,
  found: RawBuilder<unknown>,
): Promise<Match[]> {
  return ask(db).rows<Match>`${firstInOrder({ terms, sort }, found, mostMatches + 1)}`;
}

/** `overCount`: the number of expired ones, which come last. */
async function matching(db: Db, { terms, sort }: SearchPlan, rows: Match[], isCapped: boolean) {
  const first = rows.slice(0, mostMatches);
  const overCount = first.filter((match) => match.is_expired).length;
  const ordered = sort === 'relevance' ? await rankMatches(db, terms, first) : first;
  return { ids: ordered.map(({ id }) => id), overCount, isCapped };
}

/** The columns to find and filter deals by, except prices. Titles are folded. */
const texts = sql`(
  select deal_id as id, title, search, brand, created_at, is_active, is_expired, expires_at, traits, category_id, merchant_id
    from deal_texts) texts`;
const priceColumns = sql`id, sale_price, price_checked_at, discount_percent, observed_percent, checked_percent, condition`;
const ordersByPrice = new Set<SearchSort>(['best', 'price_low', 'price_high']);
/** Sorts that show the newest deals first, among those that fit equally well. */
const ageSorts = new Set<SearchSort>(['relevance', 'newest']);

const isLive = sql<boolean>`is_active and not is_expired`;
const isMarkedExpired = sql<boolean>`is_active and is_expired`;
/** Combines several ways to find deals, each deal once. */
function once(...branches: RawBuilder<unknown>[]): RawBuilder<unknown> {
  const [only] = branches.length === 1 ? branches : [];
  if (only) return only;
  return sql`select distinct on (id) * from (${sql.join(branches, sql` union all `)}) branches order by id`;
}
