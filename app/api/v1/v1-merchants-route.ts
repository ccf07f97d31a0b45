import {
  countMerchants,
  listMerchantsByName,
} from '#app/features/merchants/merchant-queries.server.ts';
import { apiOperations } from '#app/features/public-api/api-operations.ts';
import { encodeMerchant } from '#app/features/public-api/encode-shop.ts';
import { apiAction, apiLoader } from './answer-api.server.ts';
import { beyondLast } from './beyond-last.ts';

const size = 24;

/** `/api/v1/merchants` */
export const loader = apiLoader(
  apiOperations.listMerchants,
  async ({ services: { db }, site, query }) => {
    const offset = (query.page - 1) * size;
    const [merchants, total] = await Promise.all([
      listMerchantsByName(db, { limit: size, offset }),
      countMerchants(db),
    ]);
    const count = Math.max(1, Math.ceil(total / size));
    if (query.page > count) return beyondLast(query.page, count);
    return {
      ok: true,
      answer: {
        data: merchants.map((merchant) => encodeMerchant(merchant, site.origin)),
        page: { number: query.page, count, size, total, is_total_capped: false },
      },
    };
  },
);

export const action = apiAction;
