import { listCategories } from '#app/features/categories/category-queries.server.ts';
import { apiOperations } from '#app/features/public-api/api-operations.ts';
import { encodeCategory } from '#app/features/public-api/encode-shop.ts';
import { apiAction, apiLoader } from './answer-api.server.ts';

/** `/api/v1/categories` */
export const loader = apiLoader(
  apiOperations.listCategories,
  async ({ services: { db }, site }) => {
    const categories = await listCategories(db);
    return {
      ok: true,
      answer: { data: categories.map((category) => encodeCategory(category, site.origin)) },
    };
  },
);

export const action = apiAction;
