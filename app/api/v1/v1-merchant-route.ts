import {
  findMerchantBySlug,
  findMerchantRedirect,
} from '#app/features/merchants/merchant-queries.server.ts';
import { apiOperations, apiRoot } from '#app/features/public-api/api-operations.ts';
import { encodeMerchant } from '#app/features/public-api/encode-shop.ts';
import { apiAction, apiLoader } from './answer-api.server.ts';

/** `/api/v1/merchants/example-store` */
export const loader = apiLoader(
  apiOperations.getMerchant,
  async ({ services: { db }, site, key }) => {
    const merchant = await findMerchantBySlug(db, key);
    if (merchant) return { ok: true, answer: encodeMerchant(merchant, site.origin) };
    const slug = await findMerchantRedirect(db, key);
    if (slug === null) return { ok: false, status: 404, detail: 'No store has this slug.' };
    return { ok: false, status: 301, location: `${apiRoot}/merchants/${slug}` };
  },
);

export const action = apiAction;
