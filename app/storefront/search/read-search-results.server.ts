import {
  findCategoryBySlug,
  cachedCategories,
} from '#app/features/categories/category-queries.server.ts';
import {
  activeFilters,
  type ListAddress,
  listHref,
} from '#app/features/deals/deal-list-address.ts';
import {
  cleanSearchText,
  type DealFilter,
  filterOf,
  listAddress,
  listParameters,
  longestSearch,
  parseDealListInput,
  type SearchInput,
} from '#app/features/deals/deal-list-input.ts';
import {
  listFeaturedDeals,
  listRecentDeals,
} from '#app/features/deals/deal-list-queries.server.ts';
import {
  findMerchantBySlug,
  findNamedMerchants,
} from '#app/features/merchants/merchant-queries.server.ts';
import type { PricedDeal } from '#app/features/prices/price-deals.server.ts';
import { showDeals } from '#app/features/products/show-deals.server.ts';
import { findNamedBrands, isMostlyOfBrand } from '#app/features/search/find-brands.server.ts';
import { findTypedAddress, linkOfTyped } from '#app/features/search/find-typed-address.server.ts';
import { readTypedFilters } from '#app/features/search/read-typed-filters.ts';
import {
  countMatches,
  type SearchResults,
  searchCatalog,
} from '#app/features/search/search-queries.server.ts';
import { popularSearches } from '#app/features/search/suggestion-queries.server.ts';
import type { SiteSettings } from '#app/features/site-settings/site-settings.ts';
import { cachedSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import type { Db } from '#database/connect.ts';

/** The content of the results view. `found` is `null` if the search itself failed. */
export interface SearchView {
  /** The query as typed. */
  text: string;
  /** Whether parts of the text became filters, which are then active. */
  isRead: boolean;
  /** The typed text as a link that the price check reads, if the text is a complete URL. */
  link: string | null;
  address: ListAddress;
  now: Date;
  found: FoundInCatalog | null;
}

export interface FoundInCatalog extends Omit<SearchResults, 'deals'> {
  deals: PricedDeal[];
  /** Suggestions to show if nothing was found. */
  instead: WaysOn | null;
  /**
   * The number of deals without each filter, by the filter's name in the URL, if no deal was found.
   */
  without: { name: string; count: number }[];
}

/**
 * Turns parts of a search into filters: `laptop under $500` finds laptops of at most 500. Filters
 * in the URL take precedence. If no words remain, the result is a list.
 */
export async function readTyped(
  services: AppServices,
  input: SearchInput,
): Promise<{ search: SearchInput } | { listPath: string }> {
  if (input.isExact) return { search: input };
  const address = await findTypedAddress(services.db, input.query);
  if (address && 'path' in address) return { listPath: address.path };
  if (address) return { search: { ...input, query: cleanSearchText(address.words) } };
  const { currency } = await cachedSettings(services);
  const { words, filters } = await readNamed(services, input.query, currency);
  const read = { ...filters, ...input };
  if (words !== '') return { search: { ...read, query: words } };
  const path = read.category ? `/categories/${read.category}` : '/deals';
  const list = parseDealListInput(
    new URLSearchParams(listAddress(path, read, currency).values),
    currency,
  );
  return { listPath: listHref(listAddress(path, list, currency)) };
}

/**
 * Returns the brand in a search. A brand becomes a filter only if most matches belong to it: `apple
 * juice` is left unchanged.
 */
async function readNamed(services: AppServices, typed: string, currency: string) {
  const { db } = services;
  const category = await cachedCategories(services);
  const merchant = await findNamedMerchants(db, typed);
  const brand = await findNamedBrands(db, typed);
  const plain = readTypedFilters(typed, { category, merchant, brand: [] }, currency);
  const branded = readTypedFilters(typed, { category, merchant, brand }, currency);
  const name = branded.filters.brand;
  const isOfBrand = name && (await isMostlyOfBrand(db, name, branded.words, plain.words));
  return isOfBrand ? branded : plain;
}

export type WaysOn = Awaited<ReturnType<typeof readWaysOn>>;

const mostSearches = 5;
const mostDeals = 4;

/** Runs the search. A failure is logged, and the page offers to retry. */
export async function readSearchResults(
  services: AppServices,
  input: SearchInput,
  text: string,
): Promise<SearchView> {
  const { db, log } = services;
  const now = services.now();
  const isRead = input.query !== text;
  const settings = await cachedSettings(services);
  const { currency } = settings;
  // A text of the maximum length may be a longer link that was cut.
  const link = text.length < longestSearch ? linkOfTyped(text) : null;
  const view = { text, isRead, link, address: listAddress('/deals', input, currency), now };
  try {
    // An unknown category or store is ignored, like any invalid value.
    const category = input.category ? await findCategoryBySlug(db, input.category) : null;
    const merchant = input.merchant ? await findMerchantBySlug(db, input.merchant) : null;
    const filter = {
      ...filterOf(input),
      categoryId: category?.id,
      merchantId: merchant?.id,
    };
    const results = await searchCatalog(db, {
      query: input.query,
      sort: input.sort,
      filter,
      page: input.page,
      isExact: input.isExact === true,
    });
    const places = { category: category?.slug, merchant: merchant?.slug };
    const address = listAddress('/deals', { ...input, ...places }, currency);
    const found = {
      ...results,
      deals: await showDeals(services, results.deals, settings, now),
      instead: results.totalResults === 0 ? await readWaysOn(services, settings, now) : null,
      without: results.total === 0 ? await countWithout(db, input.query, filter, address) : [],
    };
    return { ...view, address, found };
  } catch (error) {
    log.error({ err: error }, 'search failed');
    return { ...view, found: null };
  }
}

/** Whether no deal has all words, regardless of the filters. */
export function hasMissed({ found, address }: SearchView): boolean {
  if (!found || address.values['exact']) return false;
  return (
    found.alternatives.length > 0 || (found.total === 0 && activeFilters(address).length === 0)
  );
}

/** The field of the filter for each parameter. */
const fieldOf: Record<string, string> = {
  category: 'categoryId',
  merchant: 'merchantId',
  ...Object.fromEntries(
    Object.entries(listParameters('')).map(([field, { name }]) => [name, field]),
  ),
};

/** Counts the deals without each filter that hides all results. */
async function countWithout(db: Db, query: string, filter: DealFilter, address: ListAddress) {
  const counts: { name: string; count: number }[] = [];
  for (const { name } of activeFilters(address)) {
    const field = fieldOf[name];
    if (!field) continue;
    const count = await countMatches(db, query, { ...filter, [field]: undefined });
    if (count > 0) counts.push({ name, count });
  }
  return counts;
}

async function readWaysOn(services: AppServices, settings: SiteSettings, now: Date) {
  const { db } = services;
  const searches = await popularSearches(db);
  const featured = await listFeaturedDeals(services, mostDeals);
  const deals = featured.length > 0 ? featured : await listRecentDeals(services, mostDeals);
  return {
    searches: searches.slice(0, mostSearches).map(({ text }) => text),
    title: featured.length > 0 ? 'Featured Deals' : 'Recently Added Deals',
    deals: await showDeals(services, deals, settings, now),
  };
}
