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
import { hasParts, hasPartsInTitle, hasWords, textsOf } from './texts-of.server.ts';

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

/**
 * Up to this many deals are all read by the index of words, which takes 2 µs each. For more
 * frequent words, the first deals in the requested order are scanned for the words.
 */
const readByWords = 20_000;
const scanned = 6_000;
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
  const inAll = await countInAll(db, plan, found.rows.length);
  if (inAll >= mostMatches) return matching(db, plan, found.rows, false);
  const parts = await findParts(db, plan, isMisspelled || inAll >= onePage);
  const rows = await inOrder(db, plan, sql`${amongFound(plan, found.rows)} union all ${parts}`);
  return matching(db, plan, rows, rows.length > mostMatches);
}

interface Match {
  id: number;
  is_expired: boolean;
  tier: number;
  created_at: Date;
}

/** Finds whole words: by their index if they are rare, else among the first deals in order. */
async function findWords(db: Db, plan: SearchPlan): Promise<{ rows: Match[]; isCapped: boolean }> {
  const { categoryId, merchantId, status, sellerType, dealType } = plan.scope;
  const ofTexts = conditionOf({ categoryId, merchantId, status, sellerType, dealType });
  const expected = await estimateDeals(
    db,
    sql`is_active and ${hasWords(plan.terms)} and ${ofTexts}`,
  );
  if (expected > readByWords) {
    const rows = await inOrder(db, plan, amongFirst(plan));
    if (rows.length >= onePage) return { rows, isCapped: true };
  }
  const rows = await inOrder(db, plan, withWords(plan));
  return { rows, isCapped: rows.length > mostMatches };
}

/**
 * The number of deals with whole words, without the filter: a filter shows no more parts of words
 * than the unfiltered search.
 */
async function countInAll(db: Db, { terms, scope }: SearchPlan, found: number): Promise<number> {
  if (Object.values(scope).every((option) => option === undefined)) return found;
  const count = await ask(db).value<number>`
    select count(*) from (
      select from deal_texts where is_active and ${hasWords(terms)} limit ${mostMatches}) counted`;
  return count ?? found;
}

/** All deals that contain the words of the query. */
function withWords(plan: SearchPlan): RawBuilder<unknown> {
  const condition = sql`is_active and ${hasWords(plan.terms)} and ${conditionOf(plan.scope)}`;
  return inTexts(plan, 'words', condition);
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

/** The first live deals that pass the filters, in the requested order, and have the words. */
function amongFirst(plan: SearchPlan): RawBuilder<unknown> {
  const { terms, sort, scope } = plan;
  const passing = sql`${isLive} and ${conditionOf(scope)}`;
  const order = sort === 'relevance' || sort === 'best' ? 'newest' : sort;
  const among = (rows: RawBuilder<unknown>) => sql`
    (select ${foundColumns(plan, 'words', true)} from (${rows}) first_rows ${textsOf(sql`first_rows.id`)}
      where ${hasWords(terms)} and not ${hasLapsed})`;
  const first = among(sql`
    select ${priceColumns} from deals where ${passing} order by ${ordersOf[order]} limit ${scanned}`);
  if (sort === 'best') {
    const best = among(sql`
      select ${priceColumns} from price_proofs join deals on id = deal_id
       where below_usual is not null and ${hasKeptHistory} and ${passing}
       order by below_usual desc, deal_id desc limit ${scanned}`);
    return once(first, best);
  }
  if (sort !== 'relevance') return first;
  const titled = sql`(select * from ${texts} where ${isLive} and title like ${startsWithPattern(terms.text)}
    order by title using ~<~ limit ${mostMatches}) texts`;
  return once(
    first,
    inTexts(plan, 'words', sql`${hasWords(terms)} and ${conditionOf(scope)}`, titled),
  );
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
  const { evidence, off, minPrice, maxPrice } = scope;
  const isPriced =
    ordersByPrice.has(sort) ||
    [scope.condition, evidence, off, minPrice, maxPrice].some((bound) => bound !== undefined);
  const prices = sql`join (select ${priceColumns} from deals) prices using (id)`;
  return sql`select ${foundColumns(plan, matched, isPriced)} from ${rows} ${isPriced ? prices : sql``} where ${condition}`;
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

const isLive = sql<boolean>`is_active and not is_expired`;
const isMarkedExpired = sql<boolean>`is_active and is_expired`;
/** Combines several ways to find deals, each deal once. */
function once(...branches: RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql`select distinct on (id) * from (${sql.join(branches, sql` union all `)}) branches order by id`;
}
