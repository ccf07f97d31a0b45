import { type RawBuilder, sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { startsWithPattern } from '#app/platform/like-pattern.ts';
import {
  conditionOf,
  hasKeptHistory,
  type DealScope,
  scopeOf,
} from '#app/features/deals/deal-conditions.server.ts';
import { estimateDeals } from '#app/features/deals/estimate-deals.server.ts';
import type { DealFilter } from '#app/features/deals/deal-list-input.ts';
import type { SearchSort } from '#app/features/deals/deal-sorts.ts';
import {
  expectDeals,
  hasWords,
  isWithinPrices,
  withoutPrice,
  wordsReadAll,
} from './expect-deals.server.ts';
import { firstInOrder, foundColumns, hasLapsed, ordersOf } from './order-matches.server.ts';
import { hasParts, hasPartsInTitle, textsOf } from './texts-of.server.ts';
import { queryOf, type SearchTerms } from './search-terms.server.ts';

export { queryOf, readSearchTerms, type SearchTerms } from './search-terms.server.ts';

/** The filter and the order of the deals to find. */
export interface WantedDeals {
  sort: SearchSort;
  filter: DealFilter;
  /** Only for counts, which say "at least" for large numbers, so fewer rows are scanned. */
  isToCount?: boolean;
  /** If another spelling is known, parts of words are searched in titles only. */
  isMisspelled?: boolean;
}

/** The parameters of one query. */
interface Look {
  terms: SearchTerms;
  sort: SearchSort;
  scope: DealScope;
  isRare: boolean;
  isEndingRarer: boolean;
  scanned: typeof scannedToShow;
}

/** No one pages through more, and counting further would cost more than showing. */
export const mostMatches = 500;

// Bounds that keep a search below 50 ms for any number of deals. Rows read through an index cost
// about two microseconds each, and comparing a part of a word another two.

/** The target number of matches found by the index, a few more than shown. */
const wordsFound = 650;
/** Up to this many titles with a part of a word are all read. */
const partsReadAll = 2_000;
const scannedToShow = {
  newest: 6_000,
  byPrice: 2_500,
  partsLive: 1_500,
  partsExpired: 250,
  byTitle: 500,
};
/** No option counts expired deals. */
const scannedToCount = { ...scannedToShow, newest: 2_000, byPrice: 1_000, partsExpired: 0 };
/**
 * The number of newest deals that show whether a filter matches as often as the planner expects.
 */
const sampled = 1_000;
/** With fewer matches, a slower complete query follows. */
const onePage = 20;
const fivePages = 100;
/** Each takes the planner a millisecond. */
const wordsEstimated = 3;

/**
 * Returns the active deals that match a query: every word appears in the title or description,
 * whole (in any inflection) or as a part of a word. Live deals come before expired ones.
 *
 * Up to 1,500 live and 250 expired deals the result is complete, with two exceptions: with more
 * than 20 whole-word matches, parts are not searched in descriptions, and with more than 500 not at
 * all. Beyond that, for words in more than 2,000 deals the newest 500 are found, or those among the
 * cheapest (most expensive) 2,500. For words in more than 60,000 deals, those among the newest
 * 6,000 are found. Parts are searched in all titles if rare enough for the index, and in titles and
 * descriptions of the newest 1,500. `isCapped` means that there may be more.
 */
export async function findMatchingDeals(
  db: Db,
  given: SearchTerms,
  { sort, filter, isToCount = false, isMisspelled = false }: WantedDeals,
) {
  const scope = await scopeOf(db, filter, sort);
  const { expected, inAll, isIndexed, ...known } = await expectDeals(db, given, filter);
  const { isRare } = known;
  const look: Look = isToCount
    ? { ...known, sort: 'newest', scope, scanned: scannedToCount }
    : { ...known, sort, scope, scanned: scannedToShow };
  const withWords = findWords(look);
  if (expected > wordsReadAll) {
    const isReadAll =
      (isRare && isWithinPrices(scope) && !isToCount) || (await isSampleEmpty(db, look));
    const found = isReadAll
      ? []
      : await findCommon(db, look, isIndexed ? wordsFound / expected : 1);
    if (found.length >= onePage) return matching(found, true);
    return atMost(await inOrder(db, look, withWords, mostMatches + 1));
  }
  // Parts of words rank after whole words. They are not searched if whole words fill all pages, and
  // not in descriptions if whole words fill one page. A filter shows no more of them than the unfiltered
  // search.
  if (inAll > mostMatches) return atMost(await inOrder(db, look, withWords, mostMatches + 1));
  const withParts = await findParts(db, look, isMisspelled || inAll >= onePage);
  return atMost(await inOrder(db, look, sql`${withWords} union all ${withParts}`, mostMatches + 1));
}

/**
 * Whether a filter leaves so few deals with frequent words that the newest ones scanned contain
 * less than a page.
 */
async function isSampleEmpty(db: Db, { terms, scope }: Look): Promise<boolean> {
  const { categoryId, merchantId } = scope;
  const chosen = withoutPrice(scope);
  if (Object.values(chosen).every((option) => option === undefined)) return false;
  const count = await ask(db).value<number>`
    select count(*) from (
      select id from deals where ${isLive} and ${conditionOf({ categoryId, merchantId })}
       order by ${ordersOf.newest} limit ${sampled}) first_rows ${textsOf(sql`first_rows.id`)}
     where ${hasWords(terms)} and ${conditionOf(chosen)}`;
  return ((count ?? 0) * scannedToShow.newest) / sampled < onePage;
}

/** All deals with the words. */
function findWords(look: Look): RawBuilder<unknown> {
  const { scope, isRare, isEndingRarer } = look;
  const words = hasWords(look.terms);
  const others = conditionOf(scope);
  // A fifth of all deals are used, so reading their index takes longer than checking each deal with
  // a rare word. The index of a frequent word takes longer than checking each deal that ends soon.
  if (isRare && scope.status) return inTexts(look, others, firstBy(sql`is_active and ${words}`));
  if (isEndingRarer) {
    const ending = sql`is_active and ${conditionOf({ dealType: 'expiring' })}`;
    return inTexts(look, sql`${words} and ${others}`, firstBy(ending));
  }
  return inTexts(look, sql`is_active and ${words} and ${others}`);
}

/** Finds texts by this condition before any other is checked. */
function firstBy(condition: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select * from ${texts} where ${condition} offset 0) texts`;
}

/**
 * Matches found in the texts alone. Prices are in another table, joined only to sort or filter by
 * them.
 */
function inTexts(look: Look, condition: RawBuilder<unknown>, rows = texts): RawBuilder<unknown> {
  const { sort, scope } = look;
  const { evidence, off, minPrice, maxPrice } = scope;
  const isPriced =
    ordersByPrice.has(sort) ||
    [scope.condition, evidence, off, minPrice, maxPrice].some((bound) => bound !== undefined);
  const prices = sql`join (select ${priceColumns} from deals) prices using (id)`;
  return sql`select ${foundColumns(look, isPriced)} from ${rows} ${isPriced ? prices : sql``} where ${condition}`;
}

/** In the requested order; capped if there are, or may be, more. */
function atMost(found: Match[]) {
  return matching(found, found.length > mostMatches);
}

interface Match {
  id: number;
  is_expired: boolean;
  /** Set if it determines the order. */
  sale_price?: number;
}

/** `overCount`: the number of expired ones, which come last. */
function matching(found: Match[], isCapped: boolean) {
  const first = found.slice(0, mostMatches);
  const overCount = first.filter((match) => match.is_expired).length;
  return { ids: first.map(({ id }) => id), overCount, isCapped };
}

/**
 * Finds live deals with words so frequent that the first in the requested order fill the pages, or
 * a share of all deals has enough.
 */
async function findCommon(db: Db, look: Look, share: number): Promise<Match[]> {
  const { terms, sort, scope, scanned } = look;
  const { categoryId, merchantId, minPrice, maxPrice, hidingMerchantIds } = scope;
  const isByPrice = isWithinPrices(scope);
  const matches = sql`${hasWords(terms)} and ${conditionOf(scope)} and not ${hasLapsed}`;
  const pick = (found: RawBuilder<unknown>) => sql`(${found} limit ${mostMatches})`;
  const wordsAmong = (rows: RawBuilder<unknown>) =>
    sql`select ${foundColumns(look, true)} from (${rows}) first_rows ${textsOf(sql`first_rows.id`)} where ${matches}`;
  // Only the leading columns of an index in this order narrow the rows read; other filters are
  // applied to them.
  const ordered = (order: RawBuilder<unknown>, rows: number, within: DealScope) =>
    pick(
      wordsAmong(sql`
        select ${priceColumns} from deals where ${isLive} and ${conditionOf(within)} order by ${order} limit ${rows}`),
    );

  const dated = sort === 'oldest' ? ordersOf.oldest : ordersOf.newest;
  const rows = isByPrice ? scanned.newest / 2 : scanned.newest;
  // Deals are stored in this order per category and store only.
  const isAnywhere = categoryId === undefined && merchantId === undefined;
  const byDate =
    (await firstByWords(db, look, share, matches)) ??
    (isAnywhere
      ? pick(sql`${inTexts(look, matches, firstTexts(dated, rows))} order by ${dated}`)
      : ordered(dated, rows, { categoryId, merchantId }));
  const byPrice = ordered(
    sort === 'price_high' ? ordersOf.price_high : ordersOf.price_low,
    scanned.byPrice,
    { categoryId, merchantId, minPrice, maxPrice, hidingMerchantIds },
  );
  if (sort === 'price_low' || sort === 'price_high') {
    const found = await inOrder(db, look, byPrice, mostMatches);
    if (found.length >= fivePages) return found;
    // If the cheapest (most expensive) deals do not match, the newest matches follow them.
    const newest = await inOrder(db, look, byDate, mostMatches);
    const all = new Map([...found, ...newest].map((match) => [match.id, match]));
    const sign = sort === 'price_low' ? 1 : -1;
    const dearer = (a: Match, b: Match) => (a.sale_price ?? 0) - (b.sale_price ?? 0) || a.id - b.id;
    return [...all.values()].toSorted((a, b) => sign * dearer(a, b)).slice(0, mostMatches);
  }
  const branches = [byDate];
  if (isByPrice) branches.push(byPrice);
  if (sort === 'best') branches.push(pick(wordsAmong(bestFirst(scope, scanned.byPrice))));
  if (sort === 'relevance') branches.push(pick(inTexts(look, matches, titlesThatBegin(terms))));
  return await inOrder(db, look, once(...branches), mostMatches);
}

/**
 * Finds the newest (oldest) deals with the words by their index, among this share of all deals.
 * Returns `null` without statistics.
 */
async function firstByWords(
  db: Db,
  look: Look,
  share: number,
  matches: RawBuilder<unknown>,
): Promise<RawBuilder<unknown> | null> {
  if (share >= 1) return null;
  const isOldest = look.sort === 'oldest';
  const bound = await ask(db).value<Date>`
    select bounds[1 + ceil(${isOldest ? share : 1 - share}::float8 * (cardinality(bounds) - 1))]
      from (select histogram_bounds::text::timestamptz[] as bounds from pg_stats
             where schemaname = current_schema() and tablename = 'deal_texts' and attname = 'created_at') stats`;
  if (bound === null) return null;
  const isFirst = isOldest ? sql`created_at <= ${bound}` : sql`created_at >= ${bound}`;
  const order = isOldest ? ordersOf.oldest : ordersOf.newest;
  // The kind of sale narrows little, and its index would be read anyway.
  const { categoryId, merchantId } = look.scope;
  const inPlace = firstBy(
    sql`${isLive} and ${isFirst} and ${hasWords(look.terms)} and ${conditionOf({ categoryId, merchantId })}`,
  );
  return sql`(${inTexts(look, matches, inPlace)} order by ${order} limit ${mostMatches})`;
}

function firstTexts(order: RawBuilder<unknown>, rows: number): RawBuilder<unknown> {
  return sql`(select * from ${texts} where ${isLive} order by ${order} limit ${rows}) texts`;
}

/** The live deals that are furthest below their usual price. */
function bestFirst({ categoryId, merchantId }: DealScope, rows: number): RawBuilder<unknown> {
  return sql`
    select ${priceColumns} from price_proofs join deals on id = deal_id
     where below_usual is not null and ${hasKeptHistory} and ${isLive} and ${conditionOf({ categoryId, merchantId })}
     order by below_usual desc, deal_id desc limit ${rows}`;
}

function titlesThatBegin(terms: SearchTerms): RawBuilder<unknown> {
  return sql`(select * from ${texts}
               where ${isLive} and title like ${startsWithPattern(terms.text)}
               order by title using ~<~ limit ${scannedToShow.byTitle}) texts`;
}

/**
 * Finds deals that have the words only as parts of others: `phone` in `headphones`. Only the
 * newest descriptions are searched: they share so many fragments that the trigram index would leave
 * a tenth of a large shop to read.
 */
async function findParts(db: Db, look: Look, isInTitles: boolean): Promise<RawBuilder<unknown>> {
  const { terms, scope, scanned } = look;
  const { categoryId, merchantId } = scope;
  const others = sql`${conditionOf(scope)} and ${hasWords(terms)} is not true`;
  const inTitle = hasPartsInTitle(terms.words);
  const inAllTitles = (await hasRarePart(db, terms))
    ? inTexts(look, sql`is_active and ${others} and ${inTitle}`)
    : null;
  if (inAllTitles && isInTitles) return inAllTitles;
  const newest = (state: RawBuilder<boolean>, rows: number): RawBuilder<unknown> =>
    sql`(select ${foundColumns(look, true)}
           from (select ${priceColumns}, description from deals
                  where ${state} and ${conditionOf({ categoryId, merchantId })}
                  order by ${ordersOf.newest} limit ${rows}) newest
           ${textsOf(sql`newest.id`)}
         where case when ${isInTitles ? inTitle : hasParts(terms)} then ${others} end limit ${mostMatches + 1})`;
  const inNewest = sql`${newest(isLive, scanned.partsLive)} union all ${newest(isMarkedExpired, scanned.partsExpired)}`;
  return inAllTitles
    ? sql`select distinct on (id) * from (${inAllTitles} union all ${inNewest}) parts order by id`
    : inNewest;
}

/**
 * Whether one word is so rare in titles, even as a part, that the trigram index leaves few rows to
 * read.
 */
async function hasRarePart(db: Db, terms: SearchTerms): Promise<boolean> {
  for (const word of terms.indexedParts.slice(0, wordsEstimated)) {
    // Statistics are better for words than for parts; a part is at least as frequent as the words
    // it begins.
    const expected = await estimateDeals(
      db,
      sql`is_active and (search @@ (${queryOf(word)})::tsquery or ${hasPartsInTitle([word])})`,
    );
    if (expected <= partsReadAll) return true;
  }
  return false;
}

function inOrder(db: Db, { terms, sort }: Look, found: RawBuilder<unknown>, limit: number) {
  return ask(db).rows<Match>`${firstInOrder({ terms, sort }, found, limit)}`;
}

/** The columns to find and filter deals by, except prices. Titles are folded. */
const texts = sql`(
  select deal_id as id, title, search, created_at, is_active, is_expired, expires_at, traits, category_id, merchant_id
    from deal_texts) texts`;
const priceColumns = sql`id, sale_price, price_checked_at, discount_percent, observed_percent, checked_percent, condition`;
const ordersByPrice = new Set<SearchSort>(['best', 'price_low', 'price_high']);

const isLive = sql<boolean>`is_active and not is_expired`;
const isMarkedExpired = sql<boolean>`is_active and is_expired`;
/** Combines several ways to find deals, each deal once. */
function once(...branches: RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql`select distinct on (id) * from (${sql.join(branches, sql` union all `)}) branches order by id`;
}
