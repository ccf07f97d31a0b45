import { type RawBuilder, sql } from 'kysely';
import {
  countFacetsAmong,
  type DealFacets,
} from '#app/features/deals/deal-facet-queries.server.ts';
import { cleanSearchText, type DealFilter } from '#app/features/deals/deal-list-input.ts';
import type { SearchSort } from '#app/features/deals/deal-sorts.ts';
import { type DealSummary, listDealsByIds } from '#app/features/deals/deal-list-queries.server.ts';
import { keepFirst } from '#app/features/deals/list-products-once.server.ts';
import type { Category } from '#app/features/categories/category-queries.server.ts';
import type { Merchant } from '#app/features/merchants/merchant-queries.server.ts';
import type { Db } from '#database/connect.ts';
import { containsAllIn } from '#app/platform/contains-in.server.ts';
import { containsPattern, startsWithPattern } from '#app/platform/like-pattern.ts';
import { correctQuery } from './correct-query.server.ts';
import {
  type Alternative,
  findMatchingDeals,
  readSearchTerms,
  relaxQuery,
  type SearchTerms,
  synonymsIn,
} from './planner/find-matching-deals.server.ts';

/** A search with its filters. */
export interface SearchRequest {
  /** The cleaned search text (see `cleanSearchText`). Empty if there is no search. */
  query: string;
  sort: SearchSort;
  filter: DealFilter;
  page: number;
  /** Whether to search for the typed text without spelling correction. */
  isExact: boolean;
  /** Whether to list every deal instead of each product once. */
  isEveryDeal?: boolean;
}

export interface SearchResults {
  /** The query as typed. */
  query: string;
  /**
   * The corrected query if nothing matches the typed words ("Showing results for …"), else `null`.
   */
  correctedQuery: string | null;
  /**
   * Shorter queries that find deals, if no deal has all words; empty otherwise. The results of the
   * first one are shown.
   */
  alternatives: Omit<Alternative, 'terms'>[];
  /** Synonyms that appear in the shown titles in place of the typed words. */
  alsoSearched: string[];
  /** The found deals on this page. */
  deals: DealSummary[];
  /** The number of deals that can be paged through. If capped, there are more: "1,000+". */
  total: number;
  /** The number of expired deals in the total. Expired deals come last. */
  expiredTotal: number;
  /** The number of cards for live deals, if some cards represent several deals of one product. */
  productTotal: number | null;
  isTotalCapped: boolean;
  /** The number of deals that each filter option would leave. */
  facets: DealFacets;
  page: number;
  /** The number of pages, at least 1. */
  pageCount: number;
  /** The found categories and stores, at most five each. */
  categories: Category[];
  merchants: Omit<Merchant, 'free_shipping_over'>[];
  /** The sum of `total` and the numbers of found categories and merchants. */
  totalResults: number;
}

export const dealsPerSearchPage = 20;
const mostCategories = 5;
const mostMerchants = 5;

/**
 * Returns everything that a query finds. A blank query finds nothing. A page number beyond the last
 * shows the last page.
 */
export async function searchCatalog(db: Db, input: SearchRequest): Promise<SearchResults> {
  if (input.query === '') return await nothing(db, input);
  if (input.isExact)
    return await searchFor(db, input, await readSearchTerms(db, input.query, { isExact: true }));
  const { found, correction, correctedQuery } = await findCorrected(
    db,
    input.query,
    async (text, isMisspelled) =>
      searchFor(db, input, await readSearchTerms(db, text), isMisspelled),
    ({ totalResults }) => totalResults > 0,
  );
  if (found.total > 0) return { ...found, correctedQuery };
  return (await searchForLess(db, input, correction)) ?? { ...found, correctedQuery };
}

/**
 * Searches with fewer words if no deal has all of them. Returns `null` if that finds nothing
 * either.
 */
async function searchForLess(
  db: Db,
  input: SearchRequest,
  correction: string | null,
): Promise<SearchResults | null> {
  for (const text of new Set([input.query, correction ?? input.query])) {
    const terms = await readSearchTerms(db, text, { isApart: true });
    const alternatives = await relaxQuery(db, terms);
    const [best] = alternatives;
    if (!best) continue;
    const found = await searchFor(db, input, best.terms);
    if (found.total === 0) return null;
    return {
      ...found,
      alternatives: alternatives.map(withoutTerms),
      correctedQuery: text === input.query ? null : text,
    };
  }
  return null;
}

function withoutTerms({ text, without, count }: Alternative) {
  return { text, without, count };
}

/**
 * Returns the ids of the deals that a text finds, best first, for callers with their own display
 * of deals.
 */
export async function findDealIds(db: Db, typed: string) {
  const query = cleanSearchText(typed);
  if (query === '') return { ids: [], correctedQuery: null };
  const { found, correctedQuery } = await findCorrected(
    db,
    query,
    (text, isMisspelled) => matchDeals(db, text, 'relevance', isMisspelled),
    (ids) => ids.length > 0,
  );
  return { ids: found, correctedQuery };
}

/**
 * Returns the ids of deals with all words of a product's name, best first, each product once.
 * Spelling is not corrected, since stores wrote the name. `words` are cleaned (`cleanSearchText`).
 */
export async function findDealIdsByName(db: Db, words: string): Promise<number[]> {
  return keepFirst(db, await matchDeals(db, words, 'relevance', true));
}

/**
 * Returns the ids of deals with the rarest words of a product's name, best first, each product
 * once.
 */
export async function findSimilarDealIds(db: Db, words: string): Promise<number[]> {
  const terms = await readSearchTerms(db, words, { isApart: true });
  const similar = { sort: 'relevance', filter: {}, isMisspelled: true, isSimilar: true } as const;
  return keepFirst(db, (await findMatchingDeals(db, terms, similar)).ids);
}

/**
 * Searches for the typed words, then for their correction if there is one. Only then searches for
 * the typed text inside words of descriptions. `correctedQuery` is the correction if it finds more
 * than the typed words, else `null`.
 */
async function findCorrected<Found>(
  db: Db,
  typed: string,
  find: (text: string, isMisspelled: boolean) => Promise<Found>,
  isSomething: (found: Found) => boolean,
): Promise<{ found: Found; correction: string | null; correctedQuery: string | null }> {
  const correction = await correctQuery(db, typed);
  if (correction !== null) {
    const asTyped = await find(typed, true);
    if (isSomething(asTyped)) return { found: asTyped, correction, correctedQuery: null };
    const found = await find(correction, false);
    if (isSomething(found)) return { found, correction, correctedQuery: correction };
  }
  return { found: await find(typed, false), correction, correctedQuery: null };
}

/**
 * Returns the newest live deals that match a query, for its feed, each product once. `query` is
 * cleaned (`cleanSearchText`) and not empty.
 */
export async function listNewestMatches(db: Db, query: string, limit: number) {
  // Expired deals come after the live ones.
  const ids = await keepFirst(db, await matchDeals(db, query, 'newest'));
  const deals = await listDealsByIds(db, ids.slice(0, limit));
  return deals.filter((deal) => !deal.is_expired);
}

/**
 * Returns how many live deals match a query and this filter, up to the number that can be paged
 * through.
 */
export async function countMatches(db: Db, text: string, filter: DealFilter): Promise<number> {
  const terms = await readSearchTerms(db, text);
  const { ids, overCount } = await findMatchingDeals(db, terms, { sort: 'newest', filter });
  return ids.length - overCount;
}

async function matchDeals(
  db: Db,
  text: string,
  sort: SearchSort,
  isMisspelled = false,
): Promise<number[]> {
  const terms = await readSearchTerms(db, text);
  return (await findMatchingDeals(db, terms, { sort, filter: {}, isMisspelled })).ids;
}

async function searchFor(
  db: Db,
  input: SearchRequest,
  terms: SearchTerms,
  isMisspelled = false,
): Promise<SearchResults> {
  const { matching, facets } = await findWithFacets(db, terms, input, isMisspelled);
  const isOnce = !input.isEveryDeal && input.filter.merchantId === undefined;
  const shown = isOnce ? await keepFirst(db, matching.ids) : matching.ids;
  const pageCount = Math.max(1, Math.ceil(shown.length / dealsPerSearchPage));
  const page = Math.min(input.page, pageCount);
  const ids = shown.slice((page - 1) * dealsPerSearchPage, page * dealsPerSearchPage);
  const deals = await listDealsByIds(db, ids);
  const categories = await findCategories(db, terms);
  const merchants = await findMerchants(db, terms);
  return {
    query: input.query,
    correctedQuery: null,
    alternatives: [],
    alsoSearched: synonymsIn(
      deals.map(({ title }) => title),
      terms.concepts,
    ),
    deals,
    total: matching.ids.length,
    expiredTotal: matching.overCount,
    productTotal: countProducts(matching, shown),
    isTotalCapped: matching.isCapped,
    facets,
    page,
    pageCount,
    categories,
    merchants,
    totalResults: matching.ids.length + categories.length + merchants.length,
  };
}

/**
 * Returns the number of live deals that have their own card, or `null` if every live deal has one.
 */
function countProducts(
  { ids, overCount }: { ids: readonly number[]; overCount: number },
  shown: readonly number[],
): number | null {
  const live = ids.slice(0, ids.length - overCount);
  const products = new Set(live).intersection(new Set(shown)).size;
  return products < live.length ? products : null;
}

/**
 * Counts each filter option among all deals that match the words, prices and similar filters,
 * independently of the other options.
 */
async function findWithFacets(
  db: Db,
  terms: SearchTerms,
  { sort, filter }: SearchRequest,
  isMisspelled: boolean,
) {
  const { status, sellerType, dealType, categoryId, merchantId, ...always } = filter;
  const options = { status, sellerType, dealType, categoryId, merchantId };
  const isNarrow = Object.values(options).some((option) => option !== undefined);
  if (!isNarrow) {
    const matching = await findMatchingDeals(db, terms, { sort, filter, isMisspelled });
    return { matching, facets: await countFacetsAmong(db, matching, filter) };
  }
  const counted = { sort, filter: always, isToCount: true, isMisspelled };
  const all = await findMatchingDeals(db, terms, counted);
  // A search within a category or store finds more of its deals by parts of words, so `all` may
  // lack some.
  const isAll = !all.isCapped && categoryId === undefined && merchantId === undefined;
  const among = { ids: all.ids, isAll };
  const matching = await findMatchingDeals(db, terms, { sort, filter, isMisspelled, among });
  return { matching, facets: await countFacetsAmong(db, all, filter) };
}

function findCategories(db: Db, terms: SearchTerms) {
  return db
    .selectFrom('categories')
    .select(['id', 'name', 'slug', 'icon', 'description', 'deal_count'])
    .where(containsAllIn(terms.words, 'name', 'description'))
    .orderBy(nearestName(terms))
    .orderBy('deal_count', 'desc')
    .orderBy('id')
    .limit(mostCategories)
    .execute();
}

function findMerchants(db: Db, terms: SearchTerms) {
  return db
    .selectFrom('merchants')
    .select(['id', 'name', 'slug', 'description', 'logo_url', 'website_url'])
    .select(['is_featured', 'deal_count'])
    .where(containsAllIn(terms.words, 'name', 'description'))
    .orderBy(nearestName(terms))
    .orderBy('deal_count', 'desc')
    .orderBy('id')
    .limit(mostMerchants)
    .execute();
}

function nearestName(terms: SearchTerms): RawBuilder<number> {
  return sql`case when fold(name) = ${terms.text} then 0
                  when fold(name) like ${startsWithPattern(terms.text)} then 1
                  when fold(name) like ${containsPattern(terms.text)} then 2 else 3 end`;
}

async function nothing(db: Db, input: SearchRequest): Promise<SearchResults> {
  return {
    query: '',
    correctedQuery: null,
    alternatives: [],
    alsoSearched: [],
    deals: [],
    total: 0,
    expiredTotal: 0,
    productTotal: null,
    isTotalCapped: false,
    facets: await countFacetsAmong(db, { ids: [], isCapped: false }, {}),
    page: input.page,
    pageCount: 1,
    categories: [],
    merchants: [],
    totalResults: 0,
  };
}
