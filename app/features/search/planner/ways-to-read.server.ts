import { type RawBuilder, sql } from 'kysely';
import {
  conditionOf,
  hasKeptHistory,
  type DealScope,
  unitRank,
} from '#app/features/deals/deal-conditions.server.ts';
import type { SearchSort } from '#app/features/deals/deal-sorts.ts';
import { startsWithPattern } from '#app/platform/like-pattern.ts';
import { foundColumns, hasLapsed, ordersOf } from './order-matches.server.ts';
import type { SearchTerms } from './search-terms.server.ts';
import { hasWords, textsOf, waysToMatch } from './texts-of.server.ts';

/**
 * The maximum number of matches: no one pages further, and counting more would cost more than
 * showing them.
 */
export const mostMatches = 500;
/**
 * If words are in more deals than this, reading their index entries takes longer than scanning the
 * first deals.
 */
export const frequent = 50_000;
/**
 * The number of first deals in the requested order to scan for frequent words, at 5 µs per deal.
 */
export const scanned = 3_000;
/** The number of matches from which a sort by relevance or price facts chooses. */
const chosenFrom = 1_000;
/**
 * The number of matches to expect when counting: a few more than needed, since statistics are
 * estimates.
 */
const countedFrom = 600;

/** The parameters of one query. */
export interface SearchPlan {
  terms: SearchTerms;
  sort: SearchSort;
  scope: DealScope;
  isToCount: boolean;
}

/** A query with the estimated frequency of its words. */
export interface WordsPlan extends SearchPlan {
  /**
   * If few deals have the words, names and categories are compared row by row. If every word is
   * frequent, only the first deals are read where possible.
   */
  frequency: 'few' | 'common' | 'frequent';
}

/**
 * Returns how many matches the newest deals should contain, for words that are not frequent and
 * are read by the index.
 */
export function newestMatches({ isToCount }: SearchPlan): number {
  return isToCount ? countedFrom : chosenFrom;
}

/** Selects all deals that contain the words of the query and pass the filters. */
export function withWords(plan: WordsPlan): RawBuilder<unknown> {
  const filter = afterWords(plan);
  const ways = waysToMatch(plan.terms, plan.frequency === 'few');
  return once(
    ...ways.map((way) => inTexts(plan, 'words', sql`is_active and ${way} and ${filter}`)),
  );
}

/**
 * Filters deals that have the words. The index of traits would cost more than it saves, so traits
 * are compared row by row. The index of categories is used unless few deals have the words. Prices,
 * which are joined, come last. For frequent words, every index of a filter saves time.
 */
function afterWords({ scope, frequency }: WordsPlan): RawBuilder<boolean> {
  if (frequency === 'frequent') return conditionOf(scope);
  const { categoryId, merchantId, status, sellerType, dealType } = scope;
  const ofPlace = conditionOf(frequency === 'few' ? { merchantId } : { categoryId, merchantId });
  const ofTexts = conditionOf({ categoryId, status, sellerType, dealType });
  return sql`${ofPlace} and (${ofTexts}) is true and (${conditionOf(scope)}) is true`;
}

/**
 * Selects the live deals with the words that were added since this time. For relevance, also
 * selects all deals whose titles begin with the query.
 */
export function amongNewest(plan: WordsPlan, since: Date): RawBuilder<unknown> {
  const condition = sql`${isLive} and created_at >= ${since} and ${hasWords(plan.terms)} and ${afterWords(plan)}`;
  const newest = inTexts(plan, 'words', condition);
  return plan.sort === 'relevance' ? once(newest, titled(plan)) : newest;
}

/** Selects the live deals whose titles begin with the query. */
function titled(plan: SearchPlan): RawBuilder<unknown> {
  const first = sql`(select * from ${texts} where ${isLive} and title like ${startsWithPattern(plan.terms.text)}
    order by title using ~<~ limit ${mostMatches}) texts`;
  const condition = sql`${hasWords(plan.terms)} and ${conditionOf(plan.scope)}`;
  return inTexts(plan, 'words', condition, first);
}

/** Selects the deals that pass the filters from those that match. */
export function narrowed(plan: SearchPlan, ids: readonly number[]): RawBuilder<unknown> {
  const among = sql`id = any(${ids}::bigint[]) and ${conditionOf(plan.scope)}`;
  const words = inTexts(plan, 'words', sql`${among} and ${hasWords(plan.terms)}`);
  const parts = inTexts(plan, 'parts', sql`${among} and ${hasWords(plan.terms)} is not true`);
  return sql`${words} union all ${parts}`;
}

/** Selects deals with the words that were already found, by their ids. */
export function amongFound(plan: SearchPlan, ids: readonly number[]): RawBuilder<unknown> {
  return inTexts(plan, 'words', sql`id = any(${ids}::bigint[])`);
}

/**
 * Selects all deals that pass the filters and have the words, reading their texts one by one.
 * Deals that end soon are live and have their own index of texts; for frequent words, the index of
 * words would only slow this down.
 */
export function amongPassing(plan: WordsPlan): RawBuilder<unknown> {
  const { dealType, ...others } = plan.scope;
  if (dealType === 'expiring') {
    const has =
      plan.frequency === 'frequent' ? sql`(${hasWords(plan.terms)}) is true` : hasWords(plan.terms);
    const condition = sql`${isLive} and ${conditionOf({ dealType })} and ${has} and (${conditionOf(others)}) is true`;
    return inTexts(plan, 'words', condition);
  }
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
 * Selects the first live deals, in the requested order, that pass the filters and have the words.
 * If few deals pass, they are sorted, because reading an index of all deals in that order would
 * take long.
 */
export function amongFirst(plan: SearchPlan, passingCount: number): RawBuilder<unknown> {
  const { sort, scope } = plan;
  const passing = sql`${isLive} and ${conditionOf(scope)}`;
  const order = isChosen(sort) ? 'newest' : sort;
  // A sort by relevance or price facts chooses among more deals than it returns.
  const limit = order === sort ? mostMatches + 1 : chosenFrom;
  const among = (rows: RawBuilder<unknown>) =>
    sql`(${withWordsAmong(plan, rows)} and not ${hasLapsed} limit ${limit})`;
  const sorted = passingCount <= frequent ? sql`offset 0` : sql``;
  const first = among(sql`
    select ${priceColumns} from (select ${priceColumns}, created_at from deals where ${passing} ${sorted}) passing
     order by ${ordersOf[order]} limit ${scanned}`);
  if (sort === 'relevance') return once(first, titled(plan));
  if (sort === 'unit_price') {
    const withUnit = among(sql`
      select ${priceColumns} from deals where net_contents is not null and ${passing}
       order by ${unitRank}, id limit ${scanned}`);
    return once(first, withUnit);
  }
  if (sort !== 'best') return first;
  const best = among(sql`
    select ${priceColumns} from price_proofs join deals on id = deal_id
     where below_usual is not null and ${hasKeptHistory} and ${passing}
     order by below_usual desc, deal_id desc limit ${scanned}`);
  return once(first, best);
}

/**
 * Selects matches from the texts alone. Prices are in another table, which is joined only to sort
 * or filter by them.
 */
export function inTexts(
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

/** Whether a filter needs columns that are only in `deals`. */
function hasPriceFilter({ condition, evidence, off, minPrice, maxPrice }: DealScope): boolean {
  return [condition, evidence, off, minPrice, maxPrice].some((bound) => bound !== undefined);
}

/** The columns for finding and filtering deals, except prices. Titles are folded. */
const texts = sql`(
  select deal_id as id, title, search, brand, created_at, is_active, is_expired, expires_at, traits, category_id, merchant_id
    from deal_texts) texts`;
export const priceColumns = sql`id, sale_price, price_checked_at, discount_percent, observed_percent, checked_percent, condition, net_contents`;
const ordersByPrice = new Set<SearchSort>(['best', 'price_low', 'price_high', 'unit_price']);
/** The sorts that choose among more deals than they return. */
const isChosen = (sort: SearchSort): sort is 'relevance' | 'best' | 'unit_price' =>
  sort === 'relevance' || sort === 'best' || sort === 'unit_price';
export const isLive = sql<boolean>`is_active and not is_expired`;
export const isMarkedExpired = sql<boolean>`is_active and is_expired`;
/** Combines several ways to find deals, each deal once. */
export function once(...branches: RawBuilder<unknown>[]): RawBuilder<unknown> {
  const [only] = branches.length === 1 ? branches : [];
  if (only) return only;
  return sql`select distinct on (id) * from (${sql.join(branches, sql` union all `)}) branches order by id`;
}
