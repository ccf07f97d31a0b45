import type { DealDetail } from '#app/features/deals/deal-queries.server.ts';
import { formatMoney } from '#app/platform/money.ts';
import { isPriceHidden } from './hide-price.ts';
import type { ClaimingSite } from './price-claims.ts';
import type { PriceProof } from './price-proof.ts';
import { placePrice, type Verdict } from './price-verdict.ts';
import { findUsualBeside } from './usual-price.ts';

/** The result of comparing a visitor's price with the log of a deal. */
export interface AskedPrice {
  /** `null` if the log has nothing to compare the price with. */
  verdict: Verdict | null;
  /** A sentence that compares the price with the one on the deal's page. */
  compared: string;
}

/** Compares a visitor's price, in minor units, with a deal's price and log. */
export function judgeAskedPrice(
  { deal, proof }: { deal: DealDetail; proof: PriceProof },
  amount: number,
  site: Pick<ClaimingSite, 'currency'>,
  now: Date,
): AskedPrice {
  if (isPriceHidden(deal, now)) {
    const compared = 'The store hides its price for now, so we can’t compare yours.';
    return { verdict: null, compared };
  }
  if (deal.is_expired) {
    const compared = 'This deal has expired, so we no longer see what the store charges.';
    return { verdict: null, compared };
  }
  const asked = { ...proof, usual: findUsualBeside(amount, proof, now.getTime()) };
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
