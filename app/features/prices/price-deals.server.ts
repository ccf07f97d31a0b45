import type { Db } from '#database/connect.ts';
import type { CardDeal } from '#app/features/deals/deal-card.tsx';
import type { DealSummary } from '#app/features/deals/deal-list-queries.server.ts';
import type { PublicSite } from '#app/features/site-settings/public-site.ts';
import { judgePrice, type ShownProof } from './judge-price.ts';
import { noProof } from './price-proof.ts';
import { findPriceProofs } from './price-proof-queries.server.ts';

/** A deal as its card shows it, with what may be said of its price; null where the price is hidden. */
export interface PricedDeal {
  deal: CardDeal;
  price: CardPrice | null;
}

export interface CardPrice {
  now: number;
  was: number | null;
  saved: number | null;
  percent: number | null;
  /** Where the struck price comes from, in a few words. */
  evidence: string | null;
  proof: ShownProof;
}

/** Judges the prices of a list of deals in one query, in the order given. A card gets no field that it does not show. */
export async function priceDeals(
  db: Db,
  deals: DealSummary[],
  site: Pick<PublicSite, 'priceClaims' | 'currency' | 'timeZone'>,
  now: Date,
): Promise<PricedDeal[]> {
  const proofs = await findPriceProofs(db, deals);
  return deals.map((deal) => {
    const price = judgePrice(deal, proofs.get(deal.id) ?? noProof, site, now);
    if (!price) return { deal: asCardDeal(deal), price: null };
    const { was, saved, percent, shortEvidence } = price.claim;
    return {
      deal: asCardDeal(deal),
      price: { now: price.now, was, saved, percent, evidence: shortEvidence, proof: price.proof },
    };
  });
}

function asCardDeal(deal: DealSummary): CardDeal {
  return {
    id: deal.id,
    slug: deal.slug,
    title: deal.title,
    description: deal.description,
    image_url: deal.image_url,
    coupon_code: deal.coupon_code,
    expires_at: deal.expires_at,
    is_expired: deal.is_expired,
    is_featured: deal.is_featured,
    status: deal.status,
    condition: deal.condition,
    seller_type: deal.seller_type,
    outHost: deal.outHost,
    merchantName: deal.merchant.name,
  };
}
