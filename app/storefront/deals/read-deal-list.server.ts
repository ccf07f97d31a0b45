import { redirect } from 'react-router';
import { cachedDealFacets } from '#app/features/deals/deal-facet-queries.server.ts';
import {
  filterOf,
  listAddress,
  parseDealListInput,
  presentQuery,
} from '#app/features/deals/deal-list-input.ts';
import { listDeals, pageSize } from '#app/features/deals/deal-list-queries.server.ts';
import { firstEnd, listTags } from '#app/features/deals/page-tags.ts';
import { showDeals } from '#app/features/products/show-deals.server.ts';
import { cachedSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { leadToLastPage } from '#app/platform/page-number.ts';

/** A page of a list with everything that its section shows. */
export type DealListView = Awaited<ReturnType<typeof readDealList>>['list'];

/**
 * Reads the list of a URL, within a category or store if given, with its page's cache tags.
 */
export async function readDealList(
  services: AppServices,
  request: Request,
  path: string,
  scope: { categoryId?: number; merchantId?: number },
) {
  const settings = await cachedSettings(services);
  const input = parseDealListInput(readListQuery(request, path), settings.currency);
  const { page, sort } = input;
  const filter = { ...filterOf(input), ...scope };
  const now = services.now();
  const [list, facets] = await Promise.all([
    listDeals(services, { filter, sort, page, priceClaims: settings.priceClaims }),
    cachedDealFacets(services, { filter, sort }),
  ]);
  leadToLastPage(request, list.pageCount);
  return {
    tags: listTags({ filter, sort }, list.deals),
    until: firstEnd(list.deals),
    list: {
      address: listAddress(path, input, settings.currency),
      page,
      now,
      deals: await showDeals(services, list.deals, settings, now),
      total: list.total,
      isTotalCapped: list.isTotalCapped,
      expiredTotal: list.expiredTotal,
      isCollapsed: list.isCollapsed,
      productTotal: list.productTotal,
      /**
       * The number of stores with live deals in the list, or `null` if counting would be too
       * expensive.
       */
      storeCount: list.storeCount,
      pageCount: list.pageCount,
      pageSize,
      facets,
    },
  };
}

/**
 * Returns the query of a list's URL. Throws a redirect if the URL uses an old sort order.
 */
export function readListQuery(request: Request, path: string): URLSearchParams {
  const query = new URL(request.url).searchParams;
  const present = presentQuery(query);
  if (present) throw redirect(`${path}?${present}`, 301);
  return query;
}
