import type { DealSummary } from '#app/features/deals/deal-list-queries.server.ts';
import { noProof } from '#app/features/prices/price-proof.ts';
import { findPriceProofs } from '#app/features/prices/price-proof-queries.server.ts';
import { type ApiDeal, encodeDeal } from '#app/features/public-api/encode-deal.ts';
import type { PublicSite } from '#app/features/site-settings/public-site.ts';
import type { Db } from '#database/connect.ts';

/** Deals with what our log says of their prices, in one query whatever their number. */
export async function encodeDeals(
  db: Db,
  deals: DealSummary[],
  site: PublicSite,
  now: Date,
): Promise<ApiDeal[]> {
  const proofs = await findPriceProofs(db, deals);
  return deals.map((deal) => encodeDeal(deal, proofs.get(deal.id) ?? noProof, site, now));
}
