import type { Db } from '#database/connect.ts';
import { type CardDeal, cardFields } from '#app/features/deals/card-deal.ts';
import type { DealSummary } from '#app/features/deals/deal-list-queries.server.ts';
import { claimNote, type ClaimingSite, type PriceClaim } from './price-claims.ts';
import { pickFields } from '#app/platform/pick-fields.ts';
import { judgePrice, type ShownProof } from './judge-price.ts';
import { noProof } from './price-proof.ts';
import { findPriceProofs } from './price-proof-queries.server.ts';

/** A deal as shown on its card, with its evaluated price. The price is `null` if hidden. */
export interface PricedDeal {
  deal: CardDeal;
  price: CardPrice | null;
}

export interface CardPrice extends Pick<PriceClaim, 'was' | 'saved' | 'percent' | 'isUnchecked'> {
  now: number;
  /** The price per unit, such as `$12.84 / kg`. */
  unit: string | null;
  /** The source of the struck price and the store's claim, in a few words. */
  evidence: string | null;
  proof: ShownProof;
}

/**
 * Evaluates the prices of deals with one query, and returns the deals in the given order. Cards get
 * only the fields that they show.
 */
export async function priceDeals(
  db: Db,
  deals: DealSummary[],
  site: ClaimingSite,
  now: Date,
): Promise<PricedDeal[]> {
  const proofs = await findPriceProofs(db, deals);
  return deals.map((deal) => {
    const shown = { ...pickFields(deal, cardFields), merchantName: deal.merchant.name };
    const price = judgePrice(deal, proofs.get(deal.id) ?? noProof, site, now);
    if (!price) return { deal: shown, price: null };
    const { was, saved, percent, isUnchecked } = price.claim;
    const evidence = claimNote(price.claim, site.currency);
    return {
      deal: shown,
      price: {
        now: price.now,
        unit: price.unit?.text ?? null,
        was,
        saved,
        percent,
        isUnchecked,
        evidence,
        proof: price.proof,
      },
    };
  });
}
