import { countNoun } from '#app/platform/count-noun.ts';
import { formatMoney } from '#app/platform/money.ts';
import type { UsualPrice } from './usual-price.ts';

const day = 86_400_000;

/** The price log's facts about one deal, for its card. Prices are in minor units. */
export interface PriceProof {
  /**
   * The newest price steps of the last 90 days, at most 16, oldest first. If none are omitted, the
   * price in force when the window began comes first.
   */
  points: { at: Date; price: number }[];
  /** All prices of those 90 days, negative while out of stock, and their times in milliseconds. */
  prices: number[];
  times: number[];
  /** The time when the deal was first seen on offer, or `null` if there is no log. */
  watchedSince: Date | null;
  /**
   * The lowest price ever seen, and the lowest before the current price began. Prices while out of
   * stock are ignored.
   */
  lowestEver: number | null;
  lowestBefore: number | null;
  lowest90: number | null;
  lowest30: number | null;
  /** The last time when our own log saw the claimed original price, or `null` if never. */
  originalSeenUntil: Date | null;
  /** The number of the last 90 days on which that price was available. */
  originalAskedDays: number;
  /** The current price compared with the prices of 90 days, or `null` if too few days were seen. */
  usual: UsualPrice | null;
  /** The stored median, even while out of stock. */
  usualPrice: number | null;
}

export const noProof: PriceProof = {
  points: [],
  prices: [],
  times: [],
  watchedSince: null,
  lowestEver: null,
  lowestBefore: null,
  lowest90: null,
  lowest30: null,
  originalSeenUntil: null,
  originalAskedDays: 0,
  usual: null,
  usualPrice: null,
};

export type ProofKind =
  | 'no-history'
  | 'steady'
  | 'lowest-ever'
  | 'lowest-in'
  | 'above-low'
  | 'out-of-stock';

/**
 * Returns the one-line evidence of a card. The evidence never claims more days than were watched:
 * "Lowest in 90 days" needs 90 days of log.
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

  const days = daysFrom(watchedSince, now);
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

/** Compares a price with the lowest of 90 days, or of the watched days, in minor units. */
export function describeLow(
  price: number,
  { lowest90, watchedSince }: Pick<PriceProof, 'lowest90' | 'watchedSince'>,
  now: Date,
  currency: string,
): string {
  if (lowest90 === null || !watchedSince) return 'We have no price history of this deal yet.';
  const days = daysFrom(watchedSince, now);
  if (days < 2) return 'We have watched this price for less than two days.';
  const period = days < 90 ? `the ${days} days that we have watched it` : '90 days';
  return price <= lowest90
    ? `That is the lowest price we have seen in ${period}.`
    : `The lowest price we have seen in ${period} is ${formatMoney(lowest90, currency)}.`;
}

/** Describes the 30 days before the current price began, or the watched part of them. */
export function periodBefore(
  { watchedSince }: Pick<PriceProof, 'watchedSince'>,
  began: Date,
): string {
  const days = watchedSince ? daysFrom(watchedSince, began) : 0;
  if (days >= 30) return 'in the 30 days before the current price began';
  const watched = days < 1 ? 'day' : countNoun(days, 'day');
  return `in the ${watched} that we watched before the current price began`;
}

function daysFrom(since: Date, now: Date): number {
  return Math.floor((now.getTime() - since.getTime()) / day);
}
