import { apiOperations } from '#app/features/public-api/api-operations.ts';
import { encodeCategory, encodeMerchant } from '#app/features/public-api/encode-shop.ts';
import { cleanSearchText } from '#app/features/deals/deal-list-input.ts';
import { dealsPerSearchPage, searchCatalog } from '#app/features/search/search-queries.server.ts';
import { limit } from '#app/platform/rate-limit.server.ts';
import { apiAction, apiLoader } from './answer-api.server.ts';
import { encodeDeals } from './encode-deals.server.ts';
import { beyondLast } from './beyond-last.ts';

const shortestQuery = 2;

/** `/api/v1/search?q=headphones` */
export const loader = apiLoader(
  apiOperations.search,
  async ({ services, site, now, query, anonymousAddress }) => {
    const { db } = services;
    const text = cleanSearchText(query.q);
    if (text.length < shortestQuery) {
      const detail = `It must be at least ${shortestQuery} characters long.`;
      return { ok: false, status: 422, errors: [{ parameter: 'q', detail }] };
    }
    if (anonymousAddress !== null) {
      for (const name of ['search-burst', 'search'] as const) {
        const admitted = await limit(services, name, anonymousAddress);
        if (!admitted.ok) return { ...admitted, status: 429 };
      }
    }
    const found = await searchCatalog(db, {
      query: text,
      sort: query.sort,
      filter: { minPrice: query.min_price, maxPrice: query.max_price },
      page: query.page,
      isExact: query.exact === '1',
    });
    if (query.page > found.pageCount) return beyondLast(query.page, found.pageCount);
    return {
      ok: true,
      answer: {
        query: found.query,
        corrected_query: found.correctedQuery,
        data: await encodeDeals(db, found.deals, site, now),
        page: {
          number: found.page,
          count: found.pageCount,
          size: dealsPerSearchPage,
          total: found.dealTotal,
          is_total_capped: found.isDealTotalCapped,
        },
        categories: found.categories.map((category) => encodeCategory(category, site.origin)),
        merchants: found.merchants.map((merchant) => encodeMerchant(merchant, site.origin)),
      },
    };
  },
);

export const action = apiAction;
