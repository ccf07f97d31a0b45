import { findPresentSlug } from '#app/features/catalog/slug-queries.server.ts';
import { listCategories } from '#app/features/categories/category-queries.server.ts';
import {
  countMerchants,
  listMerchantsByName,
} from '#app/features/merchants/merchant-queries.server.ts';
import { apiOperations, apiRoot } from '#app/features/public-api/api-operations.ts';
import { encodeCategory, encodeMerchant } from '#app/features/public-api/encode-shop.ts';
import type { Db } from '#database/connect.ts';
import { type SlugLookup, slugLookups } from '../slug-lookups.server.ts';
import { apiAnswer, beyondLast } from './answer-api.server.ts';

const merchantsPerPage = 24;

export const categoriesAnswer = apiAnswer(
  apiOperations.listCategories,
  async ({ services: { db }, site }) => {
    const categories = await listCategories(db);
    const data = categories.map((category) => encodeCategory(category, site.origin));
    return { ok: true, answer: { data } };
  },
);

export const merchantsAnswer = apiAnswer(
  apiOperations.listMerchants,
  async ({ services: { db }, site, query }) => {
    const [merchants, total] = await Promise.all([
      listMerchantsByName(db, {
        limit: merchantsPerPage,
        offset: (query.page - 1) * merchantsPerPage,
      }),
      countMerchants(db),
    ]);
    const count = Math.max(1, Math.ceil(total / merchantsPerPage));
    if (query.page > count) return beyondLast(query.page, count);
    const data = merchants.map((merchant) => encodeMerchant(merchant, site.origin));
    const page = { number: query.page, count, size: merchantsPerPage, total };
    return { ok: true, answer: { data, page: { ...page, is_total_capped: false } } };
  },
);

/** The operations on categories and merchants. */
export const shopAnswers = [
  categoriesAnswer,
  merchantsAnswer,
  apiAnswer(apiOperations.getCategory, async ({ services: { db }, site, key }) => {
    const category = await slugLookups.category.find(db, key);
    return category
      ? { ok: true, answer: encodeCategory(category, site.origin) }
      : await followSlug(db, slugLookups.category, key);
  }),

  apiAnswer(apiOperations.getMerchant, async ({ services: { db }, site, key }) => {
    const merchant = await slugLookups.merchant.find(db, key);
    return merchant
      ? { ok: true, answer: encodeMerchant(merchant, site.origin) }
      : await followSlug(db, slugLookups.merchant, key);
  }),
];

/** Finds the target of a former slug. */
async function followSlug(db: Db, lookup: SlugLookup, key: string) {
  const slug = await findPresentSlug(db, lookup.table, key);
  return slug === null
    ? ({ ok: false, status: 404, detail: lookup.unknown } as const)
    : ({ ok: false, status: 301, location: `${apiRoot}/${lookup.table}/${slug}` } as const);
}
