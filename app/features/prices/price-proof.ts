import { formatMoney } from '#app/platform/money.ts';

const day = 86_400_000;

/** What our log knows of one deal's price, for its card. Prices in cents. */
export interface PriceProof {
  /**
   * Steps of the last 90 days, oldest first: the newest 16, or all of them after the price that was in force when the window
   * opened.
   */
  points: { at: Date; price: number }[];
  /** When we first saw it on offer; null without a log. */
  watchedSince: Date | null;
  /** Lowest price ever seen, and what was the lowest before the present price began. Never one while out of stock. */
  lowestEver: number | null;
  lowestBefore: number | null;
  lowest90: number | null;
  lowest30: number | null;
  /** Until when our own log saw the claimed original price asked; null when it never did. */
  originalSeenUntil: Date | null;
}

export const noProof: PriceProof = {
  points: [],
  watchedSince: null,
  lowestEver: null,
  lowestBefore: null,
  lowest90: null,
  lowest30: null,
  originalSeenUntil: null,
};

export type ProofKind =
  | 'no-history'
  | 'steady'
  | 'lowest-ever'
  | 'lowest-in'
  | 'above-low'
  | 'out-of-stock';

/**
 * The one-line proof of a card (P7). It never claims more days than we watched: "Lowest in 90 days" needs 90 days of
 * log.
 */
export function describeProof(
  proof: PriceProof,
  deal: { sale_price: number; availability: string },
  now: Date,
  currency: string,
): { kind: ProofKind; text: string } {
  const { watchedSince, lowestBefore, lowestEver } = proof;
  if (deal.availability === 'out_of_stock')
    return { kind: 'out-of-stock', text: 'Out of stock when last checked' };
  if (!watchedSince) return { kind: 'no-history', text: 'No history yet' };

  const days = Math.floor((now.getTime() - watchedSince.getTime()) / day);
  if (lowestBefore === null || lowestEver === null) {
    return days >= 2
      ? { kind: 'steady', text: `Same price for ${days} days` }
      : { kind: 'no-history', text: 'No history yet' };
  }
  const price = deal.sale_price;
  if (price < lowestBefore && days >= 90) return { kind: 'lowest-ever', text: 'Lowest ever seen' };
  if (price <= lowestEver) return { kind: 'lowest-in', text: inDays(Math.min(days, 90)) };
  if (proof.lowest90 !== null && price <= proof.lowest90)
    return { kind: 'lowest-in', text: inDays(90) };
  if (proof.lowest30 !== null && price <= proof.lowest30)
    return { kind: 'lowest-in', text: inDays(30) };
  const above = formatMoney(price - lowestEver, currency, { wholeIfRound: true });
  return { kind: 'above-low', text: `${above} above its low` };
}

function inDays(days: number): string {
  if (days < 1) return 'Lowest today';
  return days < 2 ? 'Lowest since yesterday' : `Lowest in ${days} days`;
}
