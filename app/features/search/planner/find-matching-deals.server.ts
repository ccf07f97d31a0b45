import { type RawBuilder, sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { conditionOf, scopeOf } from '#app/features/deals/deal-conditions.server.ts';
import { estimateDeals } from '#app/features/deals/estimate-deals.server.ts';
import type { DealFilter } from '#app/features/deals/deal-list-input.ts';
import type { SearchSort } from '#app/features/deals/deal-sorts.ts';
import { firstInOrder, foundColumns, ordersOf } from './order-matches.server.ts';
import { rankMatches } from './rank-matches.server.ts';
import { rarestTerms } from './relax-query.server.ts';
import { queryOf, type SearchTerms } from './search-terms.server.ts';
import { hasParts, hasPartsInTitle, hasWords, textsOf } from './texts-of.server.ts';
import {
  amongFirst,
  amongFound,
  amongNewest,
  amongPassing,
  frequent,
  inTexts,
  isLive,
  isMarkedExpired,
  mostMatches,
  narrowed,
  newestMatches,
  once,
  priceColumns,
  scanned,
  type SearchPlan,
  type WordsPlan,
  withWords,
} from './ways-to-read.server.ts';

export { queryOf, readSearchTerms, type SearchTerms } from './search-terms.server.ts';
export { type Alternative, relaxQuery } from './relax-query.server.ts';
export { synonymsIn } from './rank-titles.ts';

/** The filter and the order of the deals to find. */
export interface WantedDeals {
  sort: SearchSort;
  filter: DealFilter;
  /** Whether deals are only counted, which needs no order. */
  isToCount?: boolean;
  /** Whether another spelling is known, so that parts of words are searched only in titles. */
  isMisspelled?: boolean;
  /** Whether deals that contain only the rarest of the words match as well. */
  isSimilar?: boolean;
  /** The deals that match with fewer filters, if already known. */
  among?: { ids: readonly number[]; isAll: boolean } | undefined;
}

/** If there are fewer matches, a slower complete query follows. */
const onePage = 20;

/** Up to this many deals are all read by the word index, which takes 5 µs per deal. */
const readByWords = 5_000;
/**
 * The number of newest deals whose descriptions are searched for parts of words, which takes 4 µs
 * per deal.
 */
const scannedForParts = { live: 1_500, expired: 250 };

/**
 * Returns the active deals that match a query. Every term appears in the title or description, in
 * any inflection or as a synonym. Alternatively, the term names the category, store or brand. Live
 * deals come before expired ones.
 *
 * If there are fewer than 500 matches, deals that contain the words as parts of other words
 * follow; if fewer than 20, also in descriptions. `isCapped` means that there may be more matches
 * than returned.
 */
export async function findMatchingDeals(
  db: Db,
  given: SearchTerms,
  { isSimilar = false, ...wanted }: WantedDeals,
) {
  const { sort: wantedSort, filter, isToCount = false, isMisspelled = false, among } = wanted;
  const terms = isSimilar ? await rarestTerms(db, given) : given;
  const sort = isToCount ? 'newest' : wantedSort;
  const scope = await scopeOf(db, filter, wantedSort);
  const plan: SearchPlan = { terms, sort, scope, isToCount };
  if (among?.isAll)
    return matching(db, plan, await inOrder(db, plan, narrowed(plan, among.ids)), false);
  const found = await findWords(db, plan, among?.ids ?? []);
  if (found.isCapped) return matching(db, plan, found.rows, true);
  const inAll = await countInAll(db, plan, found);
  if (inAll >= mostMatches) return matching(db, plan, found.rows, false);
  const parts = await findParts(db, plan, isMisspelled || inAll >= onePage);
  const rows = await inOrder(
    db,
    plan,
    sql`${amongFound(
      plan,
      found.rows.map(({ id }) => id),
    )} union all ${parts}`,
  );
  return matching(db, plan, rows, rows.length > mostMatches);
}

interface FoundWords {
  rows: Match[];
  isCapped: boolean;
  /** The expected number of deals with the words, without the filter, from statistics. */
  expectedInAll: number;
}

interface Match {
  id: number;
  is_expired: boolean;
  tier: number;
  created_at: Date;
}

/**
 * Finds whole words. Rare words are found by their index, and a filter that few deals pass is
 * applied first. Other words are searched in the newest deals or, if frequent, in the first deals
 * in the requested order. If these do not fill a page of results, all deals are read.
 */
async function findWords(
  db: Db,
  given: SearchPlan,
  sample: readonly number[],
): Promise<FoundWords> {
  const { terms, scope } = given;
  const expectedInAll = await expectWords(db, terms);
  const rarest = await expectRarest(db, terms, expectedInAll);
  const frequency =
    rarest > frequent ? 'frequent' : (await areFew(db, terms, expectedInAll)) ? 'few' : 'common';
  const plan: WordsPlan = { ...given, frequency };
  const all = async (found: RawBuilder<unknown>) => {
    const rows = await inOrder(db, plan, found);
    return { rows, isCapped: rows.length > mostMatches, expectedInAll };
  };
  if (rarest <= frequent && expectedInAll <= readByWords) return all(withWords(plan));
  const passing = await estimateDeals(db, sql`${isLive} and ${conditionOf(scope)}`, 'deals');
  if (passing <= scanned) return all(amongPassing(plan));
  const first = await firstWithWords(db, plan, { expectedInAll, rarest, passing, sample });
  if (first) {
    const rows = await inOrder(db, plan, first);
    if (rows.length >= onePage) return { rows, isCapped: true, expectedInAll };
  }
  return all(withWords(plan));
}

interface Expected {
  expectedInAll: number;
  /** The expected number of deals with the rarest term. */
  rarest: number;
  /** The number of live deals that pass the filter. */
  passing: number;
  /** The ids of some deals that match if the category and store are ignored. */
  sample: readonly number[];
}

/**
 * Returns the plan that reads only the first or newest deals, unless it would find too few, or
 * there are only a few in total.
 */
async function firstWithWords(
  db: Db,
  plan: WordsPlan,
  { expectedInAll, rarest, passing, sample }: Expected,
): Promise<RawBuilder<unknown> | null> {
  const { categoryId, merchantId, status, sellerType, dealType } = plan.scope;
  const ofTexts = conditionOf({ categoryId, merchantId, status, sellerType, dealType });
  const isPlaced = categoryId !== undefined || merchantId !== undefined;
  const share = () => (isPlaced && sample.length > 0 ? shareOf(db, sample, ofTexts) : 1);
  if (plan.frequency === 'frequent') {
    // Frequent words may occur together, so the expectation is scaled by the rarest of them.
    const isInVain = rarest * (await share()) * (scanned / passing) < onePage;
    return isInVain ? null : amongFirst(plan, passing);
  }
  const estimate = await expectWords(db, plan.terms, ofTexts);
  if (estimate <= readByWords) return null;
  const expected = Math.min(estimate, expectedInAll * (await share()));
  if (expected <= readByWords) return null;
  const since = ageSorts.has(plan.sort) ? await findAge(db, newestMatches(plan) / expected) : null;
  return since === null ? amongFirst(plan, passing) : amongNewest(plan, since);
}

/** Estimates from statistics how many deals have all words and pass a filter on texts. */
function expectWords(db: Db, terms: SearchTerms, ofTexts = sql<boolean>`true`): Promise<number> {
  return estimateDeals(db, sql`is_active and ${hasWords(terms)} and ${ofTexts}`);
}

/**
 * Returns the share of these deals that pass a filter. Statistics do not record how words relate
 * to categories, so laptops are expected in every category.
 */
async function shareOf(db: Db, ids: readonly number[], filter: RawBuilder<boolean>) {
  const count = await ask(db).value<number>`
    select count(*) from deal_texts where deal_id = any(${ids}::bigint[]) and ${filter}`;
  return (count ?? 0) / ids.length;
}

/**
 * Estimates the number of deals with the rarest term, or with the first term that is not frequent.
 */
async function expectRarest(db: Db, { terms, ...others }: SearchTerms, expectedInAll: number) {
  if (terms.length < 2) return expectedInAll;
  let rarest = Infinity;
  for (const term of terms) {
    rarest = Math.min(rarest, await expectWords(db, { ...others, terms: [term] }));
    if (rarest <= frequent) break;
  }
  return rarest;
}

/** Whether few deals have the terms that are not also names. */
async function areFew(db: Db, { terms, ...others }: SearchTerms, expectedInAll: number) {
  if (expectedInAll > readByWords) return false;
  const unnamed = terms.filter(({ names }) => !names);
  if (unnamed.length === 0 || unnamed.length === terms.length) return true;
  return (await expectWords(db, { ...others, terms: unnamed })) <= readByWords;
}

/** Estimates from statistics the time since which about this share of all deals was added. */
async function findAge(db: Db, share: number): Promise<Date | null> {
  const time = await ask(db).value<Date | null>`
    select bounds[floor(cardinality(bounds) * ${1 - share}::float8)]
      from (select histogram_bounds::text::timestamptz[] as bounds from pg_stats
             where schemaname = current_schema and tablename = 'deal_texts' and attname = 'created_at') stats`;
  return time ?? null;
}

/**
 * Counts the deals with whole words, without the filter, since a filter must not show more matches
 * of parts than the unfiltered search.
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

/**
 * Finds deals that have the words only as parts of others, such as `phone` in `headphones`. If a
 * part is rare, titles are searched by their trigram index. Descriptions are searched only in the
 * newest deals.
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

/** Whether, according to statistics, a part is in so few titles that all of them can be read. */
async function hasRarePart(db: Db, terms: SearchTerms): Promise<boolean> {
  for (const word of terms.indexedParts.slice(0, 3)) {
    // Planner statistics are more accurate for words than for parts. A part is at least as frequent
    // as the words that start with it.
    const expected = await estimateDeals(
      db,
      sql`is_active and (search @@ (${queryOf(word)})::tsquery or ${hasPartsInTitle([word])})`,
    );
    if (expected <= scannedForParts.live) return true;
  }
  return false;
}

function inOrder(
  db: Db,
  { terms, sort }: SearchPlan,
  found: RawBuilder<unknown>,
): Promise<Match[]> {
  return ask(db).rows<Match>`${firstInOrder({ terms, sort }, found, mostMatches + 1)}`;
}

/** Orders the matches. `overCount` is the number of expired deals, which come last. */
async function matching(db: Db, { terms, sort }: SearchPlan, rows: Match[], isCapped: boolean) {
  const first = rows.slice(0, mostMatches);
  const overCount = first.filter((match) => match.is_expired).length;
  const ordered = sort === 'relevance' ? await rankMatches(db, terms, first) : first;
  return { ids: ordered.map(({ id }) => id), overCount, isCapped };
}

/** The sorts that show the newest deals first, at least among those that fit equally well. */
const ageSorts = new Set<SearchSort>(['relevance', 'newest']);
