import type { z } from 'zod';
import { isPriceHidden } from '#app/features/prices/hide-price.ts';
import { parseHistoryDays } from '#app/features/prices/price-history-days.ts';
import { readPriceHistory } from '#app/features/prices/price-history-queries.server.ts';
import { apiOperations } from '#app/features/public-api/api-operations.ts';
import type { priceHistory } from '#app/features/public-api/api-schemas.ts';
import { asMoney } from '#app/features/public-api/encode-deal.ts';
import { apiAction, apiLoader } from './answer-api.server.ts';
import { findAskedDeal } from './find-asked-deal.server.ts';

/** `/api/v1/deals/12/price-history`: nothing of it where the merchant's programme forbids it (P35d). */
export const loader = apiLoader(
  apiOperations.getPriceHistory,
  async ({ services: { db }, site, now, query, key }) => {
    const asked = await findAskedDeal(db, key, '/price-history');
    if (!asked.ok) return asked;
    const { deal } = asked;
    const isKept = deal.merchant.keep_history;
    const state: z.output<typeof priceHistory>['state'] = !isKept
      ? 'not-kept'
      : isPriceHidden(deal, now)
        ? 'hidden'
        : 'kept';
    const log =
      state === 'kept' ? await readPriceHistory(db, deal.id, parseHistoryDays(query.days)) : [];
    const data = log.map(({ at, sale_price, availability, source }) => ({
      at,
      price: asMoney(sale_price, site.currency),
      availability,
      source,
    }));
    return { ok: true, answer: { deal_id: deal.id, state, data } };
  },
);

export const action = apiAction;
