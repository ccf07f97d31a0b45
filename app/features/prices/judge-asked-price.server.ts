import type { DealDetail } from '#app/features/deals/deal-queries.server.ts';
import { formatMoney } from '#app/platform/money.ts';
import type { Db } from '#database/connect.ts';
import { isPriceHidden } from './hide-price.ts';
import { type ClaimingSite, judgeClaim } from './price-claims.ts';
import { noProof } from './price-proof.ts';
import { findPriceProofs, findProofOfPrice } from './price-proof-queries.server.ts';
import { type Verdict, writeVerdict } from './price-verdict.ts';

/** A price that a visitor asks about, in minor units, and where it stands in the log of a deal. */
export interface AskedPrice {
  amount: number;
  /** The sentence of the deal's page, about this price. `null` if the log says nothing about it. */
  verdict: Verdict | null;
  /** A sentence that compares the price with the one on the deal's page. */
  compared: string;
}

/** Evaluates a visitor's price by the rules of the deal's own page, as if the price began now. */
export async function judgeAskedPrice(
  db: Db,
  deal: DealDetail,
  amount: number,
  site: ClaimingSite,
  now: Date,
): Promise<AskedPrice> {
  if (isPriceHidden(deal, now)) {
    const compared = 'The store hides its price for now, so we can’t compare yours.';
    return { amount, verdict: null, compared };
  }
  if (deal.is_expired) {
    const compared = 'This deal has expired, so we no longer see what the store charges.';
    return { amount, verdict: null, compared };
  }
  const compared = comparePrices(amount, deal, site);
  if (amount === deal.sale_price) {
    const proof = (await findPriceProofs(db, [deal])).get(deal.id) ?? noProof;
    const claim = judgeClaim(deal, proof, site);
    return { amount, verdict: writeVerdict(deal, proof, claim, site, now), compared };
  }
  const proof = await findProofOfPrice(db, deal, amount);
  const low = proof.lowest30;
  const asked = {
    ...deal,
    sale_price: amount,
    availability: 'in_stock' as const,
    // The store announced nothing about this price.
    original_price: null,
    discount_percent: 0,
    checked_percent: percentBelow(deal.reference_price, amount),
    low_30_before: low,
    observed_percent: percentBelow(low, amount),
    price_since: now,
  };
  const claim = judgeClaim(asked, proof, site);
  return { amount, verdict: writeVerdict(asked, proof, claim, site, now), compared };
}

/** Returns the percentage below a reference, rounded like those of deals. */
function percentBelow(reference: number | null, amount: number): number {
  const share = reference === null || reference === 0 ? 0 : 1 - amount / reference;
  return Math.max(0, Math.round(share * 100));
}

function comparePrices(amount: number, deal: DealDetail, { currency }: ClaimingSite): string {
  const inMoney = (sum: number) => formatMoney(sum, currency, { wholeIfRound: true });
  const { sale_price: present } = deal;
  if (amount === present) return 'We have the same price for this deal.';
  const difference = inMoney(Math.abs(amount - present));
  return `That is ${difference} ${amount > present ? 'more' : 'less'} than the ${inMoney(present)} that we have for this deal.`;
}
