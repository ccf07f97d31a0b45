import {
  findCategoryBySlug,
  findCategoryRedirect,
} from '#app/features/categories/category-queries.server.ts';
import { listDeals, pageSize } from '#app/features/deals/deal-list-queries.server.ts';
import {
  findMerchantBySlug,
  findMerchantRedirect,
} from '#app/features/merchants/merchant-queries.server.ts';
import { apiOperations } from '#app/features/public-api/api-operations.ts';
import type { Db } from '#database/connect.ts';
import { apiAction, apiLoader } from './answer-api.server.ts';
import { encodeDeals } from './encode-deals.server.ts';
import { beyondLast } from './beyond-last.ts';

/** `/api/v1/deals` */
export const loader = apiLoader(
  apiOperations.listDeals,
  async ({ services: { db }, site, now, query }) => {
    const categoryId = await findId(db, query.category, findCategoryBySlug, findCategoryRedirect);
    const merchantId = await findId(db, query.merchant, findMerchantBySlug, findMerchantRedirect);
    const unknown = [
      ...(categoryId === null
        ? [{ parameter: 'category', detail: 'No category has this slug.' }]
        : []),
      ...(merchantId === null
        ? [{ parameter: 'merchant', detail: 'No store has this slug.' }]
        : []),
    ];
    if (categoryId === null || merchantId === null) {
      return { ok: false, status: 422, errors: unknown };
    }
    const list = await listDeals(db, {
      filter: {
        categoryId,
        merchantId,
        status: query.status,
        sellerType: query.seller,
        dealType: query.type,
        minPrice: query.min_price,
        maxPrice: query.max_price,
      },
      sort: query.sort,
      page: query.page,
      priceClaims: site.priceClaims,
    });
    if (query.page > list.pageCount) return beyondLast(query.page, list.pageCount);
    const page = {
      number: list.page,
      count: list.pageCount,
      size: pageSize,
      total: list.total,
      is_total_capped: list.isTotalCapped,
    };
    return { ok: true, answer: { data: await encodeDeals(db, list.deals, site, now), page } };
  },
);

export const action = apiAction;

/** Undefined where none was asked for, null where nobody has the slug or had it. */
async function findId(
  db: Db,
  slug: string | undefined,
  find: (db: Db, slug: string) => Promise<{ id: number } | null>,
  findPresentSlug: (db: Db, slug: string) => Promise<string | null>,
): Promise<number | null | undefined> {
  if (slug === undefined) return undefined;
  const found = await find(db, slug);
  if (found) return found.id;
  const present = await findPresentSlug(db, slug);
  return present === null ? null : ((await find(db, present))?.id ?? null);
}
