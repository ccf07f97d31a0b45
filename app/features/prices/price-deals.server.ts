import type { AppServices } from '#app/platform/app-context.server.ts';
import type { Db } from '#database/connect.ts';
import { noteShownPictures } from '#app/features/pictures/note-shown-pictures.server.ts';
import { type CardDeal, cardFields } from '#app/features/deals/card-deal.ts';
import type { DealSummary } from '#app/features/deals/deal-list-queries.server.ts';
import { claimNote, type ClaimingSite, type PriceClaim } from './price-claims.ts';
import { pickFields } from '#app/platform/pick-fields.ts';
import { judgePrice, type ShownProof } from './judge-price.ts';
import { noProof } from './price-proof.ts';
import { findPriceProofs } from './price-proof-queries.server.ts';

/** A deal as its card shows it, with what may be said of its price; null where the price is hidden. */
export interface PricedDeal {
  deal: CardDeal;
  price: CardPrice | null;
}

export interface CardPrice extends Pick<PriceClaim, 'was' | 'saved' | 'percent' | 'isUnchecked'> {
  now: number;
  /** Where the struck price comes from, and what the store says, in a few words. */
  evidence: string | null;
  proof: ShownProof;
}

/** The cards of a page. That their pictures are shown is noted. */
export function showDeals(
  services: Pick<AppServices, 'db' | 'env' | 'log'>,
  deals: DealSummary[],
  site: ClaimingSite,
  now: Date,
): Promise<PricedDeal[]> {
  noteShownPictures(services, deals);
  return priceDeals(services.db, deals, site, now);
}

/** Judges the prices of a list of deals in one query, in the order given. A card gets no field that it does not show. */
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
    const evidence = claimNote(price.claim);
    return {
      deal: shown,
      price: { now: price.now, was, saved, percent, isUnchecked, evidence, proof: price.proof },
    };
  });
}
