import { findCategoryBySlug } from '#app/features/categories/category-queries.server.ts';
import type { ListAddress } from '#app/features/deals/deal-list-address.ts';
import { filterOf, listAddress, type SearchInput } from '#app/features/deals/deal-list-input.ts';
import {
  listFeaturedDeals,
  listRecentDeals,
} from '#app/features/deals/deal-list-queries.server.ts';
import { findMerchantBySlug } from '#app/features/merchants/merchant-queries.server.ts';
import { type PricedDeal, priceDeals } from '#app/features/prices/price-deals.server.ts';
import { type SearchResults, searchCatalog } from '#app/features/search/search-queries.server.ts';
import { popularSearches } from '#app/features/search/suggestion-queries.server.ts';
import type { SiteSettings } from '#app/features/site-settings/site-settings.ts';
import { keptSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';

/** What the results view shows. `found` is null when the search itself failed. */
export interface SearchView {
  /** What was typed. */
  text: string;
  address: ListAddress;
  now: Date;
  found: FoundInCatalog | null;
}

export interface FoundInCatalog extends Omit<SearchResults, 'deals'> {
  deals: PricedDeal[];
  /** Ways on, where nothing was found. */
  instead: WaysOn | null;
}

export type WaysOn = Awaited<ReturnType<typeof readWaysOn>>;

const mostSearches = 5;
const mostDeals = 4;

/** Runs the search. A failure is logged and becomes a page that says so and can be tried again. */
export async function readSearchResults(
  services: AppServices,
  input: SearchInput,
): Promise<SearchView> {
  const { db, log } = services;
  const now = services.now();
  const view = { text: input.query, address: listAddress('/deals', input), now };
  try {
    // What no category or store has as its slug narrows nothing, as any wrong value.
    const category = input.category ? await findCategoryBySlug(db, input.category) : null;
    const merchant = input.merchant ? await findMerchantBySlug(db, input.merchant) : null;
    const [results, settings] = await Promise.all([
      searchCatalog(db, {
        query: input.query,
        sort: input.sort,
        filter: {
          ...filterOf(input),
          categoryId: category?.id,
          merchantId: merchant?.id,
        },
        page: input.page,
        isExact: input.isExact === true,
      }),
      keptSettings(services),
    ]);
    const found = {
      ...results,
      deals: await priceDeals(db, results.deals, settings, now),
      instead: results.totalResults === 0 ? await readWaysOn(services, settings, now) : null,
    };
    const places = { category: category?.slug, merchant: merchant?.slug };
    return { ...view, address: listAddress('/deals', { ...input, ...places }), found };
  } catch (error) {
    log.error({ err: error }, 'search failed');
    return { ...view, found: null };
  }
}

async function readWaysOn(services: AppServices, settings: SiteSettings, now: Date) {
  const { db } = services;
  const searches = await popularSearches(db);
  const featured = await listFeaturedDeals(services, mostDeals);
  const deals = featured.length > 0 ? featured : await listRecentDeals(services, mostDeals);
  return {
    searches: searches.slice(0, mostSearches).map(({ text }) => text),
    title: featured.length > 0 ? 'Featured Deals' : 'Recently Added Deals',
    deals: await priceDeals(db, deals, settings, now),
  };
}
