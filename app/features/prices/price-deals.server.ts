import type { Db } from '#database/connect.ts';
import type { DealSummary } from '#app/features/deals/deal-list-queries.server.ts';
import { noProof, type PriceProof } from './price-proof.ts';
import { findPriceProofs } from './price-proof-queries.server.ts';

/** A deal with what our log knows of its price. */
export interface PricedDeal {
  deal: DealSummary;
  proof: PriceProof;
}

/** Puts the proof beside each deal, in the order given. */
export async function priceDeals(db: Db, deals: DealSummary[]): Promise<PricedDeal[]> {
  const proofs = await findPriceProofs(db, deals);
  return deals.map((deal) => ({ deal, proof: proofs.get(deal.id) ?? noProof }));
}
