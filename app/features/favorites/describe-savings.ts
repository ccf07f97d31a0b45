import { countNoun } from '#app/platform/count-noun.ts';
import { formatMoney } from '#app/platform/money.ts';
import { shortDate } from '#app/platform/time-words.ts';

/** The price of a favorite when it was saved, in minor units. */
export interface SavedPrice {
  price: number;
  at: Date;
}

/**
 * Returns a text such as `$12.00 less than when you saved it on Nov 3`. `now` is the current price
 * in minor units.
 */
export function describeChange(
  { price, at }: SavedPrice,
  now: number,
  { currency, timeZone }: { currency: string; timeZone: string },
): string {
  const when = `when you saved it on ${shortDate(at, timeZone)}`;
  if (now === price) return `The same price as ${when}`;
  const difference = formatMoney(Math.abs(now - price), currency);
  return `${difference} ${now < price ? 'less' : 'more'} than ${when}`;
}

/**
 * Describes the total savings as an amount and a label, without claiming that the user bought
 * anything.
 */
export function describeTotal(
  saved: number,
  deals: number,
  currency: string,
): { amount: string; text: string } {
  return deals === 0
    ? {
        amount: formatMoney(0, currency),
        text: 'Nothing yet: no deal that you saved or watch costs less than when you started.',
      }
    : {
        amount: formatMoney(saved, currency),
        text: `less over ${countNoun(deals, 'deal')}, if you bought at that price.`,
      };
}
