import { type RawBuilder, sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { fold } from '#app/platform/fold.ts';
import { foldedContains } from '#app/platform/contains-in.server.ts';
import { containsPattern, startsWithPattern } from '#app/platform/like-pattern.ts';
import {
  conditionOf,
  hasKeptHistory,
  percentBelowUsual,
  type DealScope,
  scopeOf,
} from '#app/features/deals/deal-conditions.server.ts';
import { estimateDeals } from '#app/features/deals/estimate-deals.server.ts';
import type { DealFilter } from '#app/features/deals/deal-list-input.ts';
import type { SearchSort } from '#app/features/deals/deal-sorts.ts';
import { textsOf } from './texts-of.server.ts';
import { queryOf, type SearchTerms } from './search-terms.server.ts';

/** What is wanted of the deals with the words: those of a list with this filter, in this order. */
export interface WantedDeals {
  sort: SearchSort;
  filter: DealFilter;
}

/** What one look for them needs to know. */
interface Look {
  terms: SearchTerms;
  sort: SearchSort;
  scope: DealScope;
}

/** Nobody pages through more; counting on would cost more than showing. */
export const mostMatches = 500;

// The bounds that keep a search below 50 ms on any number of deals. Rows read through an index cost about two
// microseconds each, the text comparison of a part of a word another two.

/** Up to this many deals with the words are all read and ranked; commoner words are looked for in the wanted order. */
const wordsReadAll = 4_000;
/** The same for several words at once, whose matches are counted first. */
const togetherReadAll = 2_000;
/** From this many deals with the words on, parts of words are looked for only where those do not fill a page. */
const wordsSuffice = 1_000;
/** Up to this many titles with a part of a word are all read. */
const partsReadAll = 2_000;
const scanned = {
  newest: 6_000,
  byPrice: 3_500,
  partsLive: 2_000,
  partsExpired: 500,
  byTitle: 500,
};
/** Fewer than this are worth a second look, slower but complete. */
const onePage = 20;
const fivePages = 100;
/** Each takes the planner a millisecond. */
const wordsEstimated = 3;

/**
 * The active deals a query matches: every word occurs in the title or the description, whole (in any inflection) or as
 * a part of a word. Live deals come before expired ones (P4). Up to 2,000 live and 500 expired deals the answer is
 * complete. Beyond that, words in more than about 4,000 deals (several words together: 2,000) are looked for in the
 * newest 6,000 or the cheapest (dearest) 3,500; parts of words in all titles where the part is rare enough for the
 * index, and in titles and descriptions of the newest 2,000. `isCapped` says that there may be more.
 */
export async function findMatchingDeals(db: Db, terms: SearchTerms, { sort, filter }: WantedDeals) {
  const look: Look = { terms, sort, scope: await scopeOf(db, filter, sort) };
  const ofBrand = filter.brand !== undefined ? sql`and brand = ${fold(filter.brand)}` : sql``;
  // The planner guesses beginnings of words lower than the same words whole.
  const expected = await estimateDeals(
    db,
    sql`is_active and (${hasWords(terms)} or search @@ ${terms.wholeQuery}::tsquery) and ${conditionOf(withoutPrice(filter))} ${ofBrand}`,
  );
  const withWords = findWords(look);
  if (expected > wordsReadAll || (await areCommonTogether(db, terms))) {
    const found = await findCommon(db, look);
    if (found.length >= onePage) return matching(found, true);
    return atMost(await inOrder(db, look, withWords, mostMatches + 1));
  }
  if (expected > wordsSuffice) {
    const found = await inOrder(db, look, withWords, mostMatches + 1);
    if (found.length >= onePage) return matching(found, true);
  }
  const withParts = await findParts(db, look);
  return atMost(await inOrder(db, look, sql`${withWords} union all ${withParts}`, mostMatches + 1));
}

/** All deals with the words. */
function findWords(look: Look): RawBuilder<unknown> {
  return inTexts(look, sql`is_active and ${hasWords(look.terms)} and ${conditionOf(look.scope)}`);
}

/** What is found in the texts alone. Prices stand elsewhere and are joined only where they order or narrow. */
function inTexts(look: Look, condition: RawBuilder<unknown>, rows = texts): RawBuilder<unknown> {
  const { sort, scope } = look;
  const { evidence, off, minPrice, maxPrice } = scope;
  const isPriced =
    ordersByPrice.has(sort) ||
    [scope.condition, evidence, off, minPrice, maxPrice].some((bound) => bound !== undefined);
  const prices = sql`join (select ${priceColumns} from deals) prices using (id)`;
  return sql`select ${foundColumns(look, isPriced)} from ${rows} ${isPriced ? prices : sql``} where ${condition}`;
}

/** Prices are left to the scans in the order of price: how many deals lie in a range says little of its cost. */
function withoutPrice({ categoryId, merchantId, status, sellerType, dealType }: DealFilter) {
  return { categoryId, merchantId, status, sellerType, dealType };
}

/** The planner takes words for independent, and "gift card" for forty times rarer than it is: so those are counted. */
async function areCommonTogether(db: Db, terms: SearchTerms): Promise<boolean> {
  if (terms.words.length < 2) return false;
  const count = await ask(db).value<number>`
    select count(*) as count from (
      select 1 from deal_texts where is_active and ${hasWords(terms)} limit ${togetherReadAll + 1}) counted`;
  return (count ?? 0) > togetherReadAll;
}

/** In the wanted order; capped when there are, or may be, more. */
function atMost(found: Match[]) {
  return matching(found, found.length > mostMatches);
}

interface Match {
  id: number;
  is_expired: boolean;
}

/** `overCount`: how many of them, the last ones, have expired. */
function matching(found: Match[], isCapped: boolean) {
  const first = found.slice(0, mostMatches);
  const overCount = first.filter((match) => match.is_expired).length;
  return { ids: first.map(({ id }) => id), overCount, isCapped };
}

/** Live deals with words so common that the first thousands of rows in the wanted order hold pages of them. */
async function findCommon(db: Db, look: Look): Promise<Match[]> {
  const { terms, sort, scope } = look;
  const { categoryId, merchantId, minPrice, maxPrice, hidingMerchantIds } = scope;
  const isByPrice = minPrice !== undefined || maxPrice !== undefined;
  const matches = sql`${hasWords(terms)} and ${conditionOf(scope)} and not ${hasLapsed}`;
  const pick = (found: RawBuilder<unknown>) => sql`(${found} limit ${mostMatches})`;
  const wordsAmong = (rows: RawBuilder<unknown>) =>
    sql`select ${foundColumns(look, true)} from (${rows}) first_rows ${textsOf(sql`first_rows.id`)} where ${matches}`;
  // Only what an index in this order leads with narrows the rows that are read; other filters choose among them.
  const ordered = (order: RawBuilder<unknown>, rows: number, within: DealScope) =>
    pick(
      wordsAmong(sql`
        select ${priceColumns} from deals where ${isLive} and ${conditionOf(within)} order by ${order} limit ${rows}`),
    );

  const byDate = ordered(
    sort === 'oldest' ? ordersOf.oldest : ordersOf.newest,
    isByPrice ? scanned.newest / 2 : scanned.newest,
    { categoryId, merchantId },
  );
  const byPrice = ordered(
    sort === 'price_high' ? ordersOf.price_high : ordersOf.price_low,
    scanned.byPrice,
    { categoryId, merchantId, minPrice, maxPrice, hidingMerchantIds },
  );
  if (sort === 'price_low' || sort === 'price_high') {
    const found = await inOrder(db, look, byPrice, mostMatches);
    // Where all the cheapest (dearest) deals are something else, the newest matches follow them.
    return found.length >= fivePages
      ? found
      : inOrder(db, look, once(byPrice, byDate), mostMatches);
  }
  const branches = [byDate];
  if (isByPrice) branches.push(byPrice);
  if (sort === 'best') branches.push(pick(wordsAmong(bestFirst(scope))));
  if (sort === 'relevance') branches.push(pick(inTexts(look, matches, titlesThatBegin(terms))));
  return await inOrder(db, look, once(...branches), mostMatches);
}

/** The live deals that are furthest below their usual price. */
function bestFirst({ categoryId, merchantId }: DealScope): RawBuilder<unknown> {
  return sql`
    select ${priceColumns} from price_proofs join deals on id = deal_id
     where below_usual is not null and ${hasKeptHistory} and ${isLive} and ${conditionOf({ categoryId, merchantId })}
     order by below_usual desc, deal_id desc limit ${scanned.byPrice}`;
}

function titlesThatBegin(terms: SearchTerms): RawBuilder<unknown> {
  return sql`(select * from ${texts}
               where ${isLive} and title like ${startsWithPattern(terms.text)}
               order by title using ~<~ limit ${scanned.byTitle}) texts`;
}

/**
 * Deals that have the words only as parts of others: `phone` in `headphones`. Descriptions share so many fragments that
 * the trigram index would leave a tenth of a large shop to read, so beyond titles only the newest are searched.
 */
async function findParts(db: Db, look: Look): Promise<RawBuilder<unknown>> {
  const { terms, scope } = look;
  const { categoryId, merchantId } = scope;
  const others = sql`${conditionOf(scope)} and ${hasWords(terms)} is not true`;
  const newest = (state: RawBuilder<boolean>, rows: number): RawBuilder<unknown> =>
    sql`(select ${foundColumns(look, true)}
           from (select ${priceColumns}, description from deals
                  where ${state} and ${conditionOf({ categoryId, merchantId })}
                  order by ${ordersOf.newest} limit ${rows}) newest
           ${textsOf(sql`newest.id`)}
         where ${others} and ${hasParts(terms)} limit ${mostMatches + 1})`;
  const inNewest = sql`${newest(isLive, scanned.partsLive)} union all ${newest(isMarkedExpired, scanned.partsExpired)}`;
  if (!(await hasRarePart(db, terms))) return inNewest;
  const inTitles = inTexts(look, sql`is_active and ${others} and ${hasPartsInTitle(terms.words)}`);
  return sql`select distinct on (id) * from (${inTitles} union all ${inNewest}) parts order by id`;
}

/** Whether one word is so rare in titles, even as a part, that the trigram index leaves few rows to read. */
async function hasRarePart(db: Db, terms: SearchTerms): Promise<boolean> {
  for (const word of terms.indexedParts.slice(0, wordsEstimated)) {
    // Statistics know words better than parts, so a part is at least as common as the words it begins.
    const expected = await estimateDeals(
      db,
      sql`is_active and (search @@ (${queryOf(word)})::tsquery or ${hasPartsInTitle([word])})`,
    );
    if (expected <= partsReadAll) return true;
  }
  return false;
}

async function inOrder(db: Db, { terms, sort }: Look, found: RawBuilder<unknown>, limit: number) {
  return ask(db).rows<Match>`
    with found as materialized (${found})
    ${sort === 'relevance' ? byRelevance(terms, limit) : sql`select id, is_expired from found order by is_expired, ${ordersOf[sort]} limit ${limit}`}`;
}

/** What a deal is found and chosen by, but for its price. Titles are folded. */
const texts = sql`(
  select deal_id as id, title, search, created_at, is_active, is_expired, expires_at, traits, category_id, merchant_id
    from deal_texts) texts`;
const priceColumns = sql`id, sale_price, price_checked_at, discount_percent, observed_percent, condition`;
const ordersByPrice = new Set<SearchSort>(['best', 'price_low', 'price_high']);

const isLive = sql<boolean>`is_active and not is_expired`;
const isMarkedExpired = sql<boolean>`is_active and is_expired`;
/** The mark is set by a job; between two of its runs the date decides. */
const hasLapsed = sql<boolean>`(is_expired or coalesce(expires_at <= now(), false))`;

const ordersOf = {
  best: sql`tier, created_at desc, id desc`,
  newest: sql`created_at desc, id desc`,
  oldest: sql`created_at, id`,
  price_low: sql`sale_price, id`,
  price_high: sql`sale_price desc, id desc`,
};

/** Narrow, since thousands of rows are sorted: what orders them, not what they were found by. */
function foundColumns({ terms, sort }: Look, isPriced: boolean): RawBuilder<unknown> {
  return sql`id, ${hasLapsed} as is_expired, created_at, ${isPriced ? sql`sale_price` : sql`0 as sale_price`}, ${sort === 'relevance' ? tierOf(terms) : sort === 'best' ? sql`-${percentBelowUsual}` : sql`0`} as tier`;
}

/** The title itself, titles that begin with it, whole words in the title, whole words anywhere, parts of the title, the rest. */
function tierOf(terms: SearchTerms): RawBuilder<number> {
  return sql`case when title = ${terms.text} then 0
                  when title like ${startsWithPattern(terms.text)} then 1
                  when search @@ ${terms.titleQuery}::tsquery then 2
                  when search @@ ${terms.wholeQuery}::tsquery then ${wordsAnywhere}::int
                  when ${hasPartsInTitle(terms.words)} then 4
                  else 5 end`;
}

const wordsAnywhere = 3;

/**
 * Among equals the newest first. Words in descriptions only are ranked by full text, which costs 8 microseconds a row:
 * too much for all.
 */
function byRelevance(terms: SearchTerms, limit: number): RawBuilder<unknown> {
  return sql`
    select id, is_expired from (select * from found order by is_expired, tier, created_at desc, id desc limit ${limit}) best
     order by is_expired, tier,
              case when tier = ${wordsAnywhere}::int then (
                select ts_rank(search, ${terms.wholeQuery}::tsquery) from deal_texts where deal_id = best.id) end desc,
              created_at desc, id desc`;
}

/** Several ways to the same deals, each deal once. */
function once(...branches: RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql`select distinct on (id) * from (${sql.join(branches, sql` union all `)}) branches order by id`;
}

function hasWords(terms: SearchTerms): RawBuilder<boolean> {
  return sql`(search @@ ${terms.prefixQuery}::tsquery)`;
}

/** To fold thousands of descriptions would take too long: of a part of a word in one the accents must be those that were typed. */
function hasParts({ words, typedWords }: SearchTerms): RawBuilder<boolean> {
  const each = words.map((word, index) => {
    const spellings = [...new Set([word, typedWords[index] ?? word])].map(containsPattern);
    return sql`(${hasPartsInTitle([word])} or description ilike any(${spellings}::text[]))`;
  });
  return sql`(${sql.join(each, sql` and `)})`;
}

function hasPartsInTitle(words: string[]) {
  return foldedContains(words, 'title');
}
