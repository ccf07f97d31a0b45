import type { DealDetail } from '#app/features/deals/deal-queries.server.ts';
import { formatMoney } from '#app/platform/money.ts';
import type { Db } from '#database/connect.ts';
import { isPriceHidden } from './hide-price.ts';
import type { ClaimingSite } from './price-claims.ts';
import type { PriceProof } from './price-proof.ts';
import { findProofOfPrice } from './price-proof-queries.server.ts';
import { placePrice, type Verdict } from './price-verdict.ts';

/** The position of a visitor's price in the log of a deal. */
export interface AskedPrice {
  /** `null` if the log says nothing about the price. */
  verdict: Verdict | null;
  /** A sentence that compares the price with the one on the deal's page. */
  compared: string;
}

/** Compares a visitor's price, in minor units, with a deal's price and log. */
export async function judgeAskedPrice(
  db: Db,
  { deal, proof }: { deal: DealDetail; proof: PriceProof },
  amount: number,
  site: Pick<ClaimingSite, 'currency'>,
  now: Date,
): Promise<AskedPrice> {
  if (isPriceHidden(deal, now)) {
    const compared = 'The store hides its price for now, so we can’t compare yours.';
    return { verdict: null, compared };
  }
  if (deal.is_expired) {
    const compared = 'This deal has expired, so we no longer see what the store charges.';
    return { verdict: null, compared };
  }
  // The facts contain no usual price while out of stock, or while the newest price is voided.
  const isJudged = amount === deal.sale_price && proof.usual !== null;
  const asked = isJudged ? proof : await findProofOfPrice(db, deal, amount);
  return {
    verdict: placePrice(amount, deal, asked, site, now),
    compared: comparePrices(amount, deal, site),
  };
}

function comparePrices(
  amount: number,
  { sale_price: present }: DealDetail,
  { currency }: Pick<ClaimingSite, 'currency'>,
): string {
  if (amount === present) return 'We have the same price for this deal.';
  const inMoney = (sum: number) => formatMoney(sum, currency, { wholeIfRound: true });
  const difference = inMoney(Math.abs(amount - present));
  return `That is ${difference} ${amount > present ? 'more' : 'less'} than the ${inMoney(present)} that we have for this deal.`;
}
