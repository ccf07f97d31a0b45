import {
  findCategoryBySlug,
  findCategoryRedirect,
} from '#app/features/categories/category-queries.server.ts';
import { apiOperations, apiRoot } from '#app/features/public-api/api-operations.ts';
import { encodeCategory } from '#app/features/public-api/encode-shop.ts';
import { apiAction, apiLoader } from './answer-api.server.ts';

/** `/api/v1/categories/electronics` */
export const loader = apiLoader(
  apiOperations.getCategory,
  async ({ services: { db }, site, key }) => {
    const category = await findCategoryBySlug(db, key);
    if (category) return { ok: true, answer: encodeCategory(category, site.origin) };
    const slug = await findCategoryRedirect(db, key);
    if (slug === null) return { ok: false, status: 404, detail: 'No category has this slug.' };
    return { ok: false, status: 301, location: `${apiRoot}/categories/${slug}` };
  },
);

export const action = apiAction;
