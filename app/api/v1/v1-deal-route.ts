import { noProof } from '#app/features/prices/price-proof.ts';
import { findPriceProofs } from '#app/features/prices/price-proof-queries.server.ts';
import { apiOperations } from '#app/features/public-api/api-operations.ts';
import { encodeDealDetail } from '#app/features/public-api/encode-deal.ts';
import { apiAction, apiLoader } from './answer-api.server.ts';
import { findAskedDeal } from './find-asked-deal.server.ts';

/** `/api/v1/deals/12`, `/api/v1/deals/wireless-headphones` */
export const loader = apiLoader(
  apiOperations.getDeal,
  async ({ services: { db }, site, now, key }) => {
    const asked = await findAskedDeal(db, key);
    if (!asked.ok) return asked;
    const { deal } = asked;
    const proofs = await findPriceProofs(db, [deal]);
    return {
      ok: true,
      answer: encodeDealDetail(deal, proofs.get(deal.id) ?? noProof, site, now),
    };
  },
);

export const action = apiAction;
