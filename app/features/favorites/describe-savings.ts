import { countNoun } from '#app/platform/count-noun.ts';
import { formatMoney } from '#app/platform/money.ts';
import { shortDate } from '#app/platform/time-words.ts';

/** What a favorite cost when it was kept. Minor units. */
export interface KeptPrice {
  price: number;
  at: Date;
}

/** `$12.00 less than when you kept it on Nov 3`. `now`: the present price in minor units. */
export function describeChange(
  { price, at }: KeptPrice,
  now: number,
  { currency, timeZone }: { currency: string; timeZone: string },
): string {
  const when = `when you kept it on ${shortDate(at, timeZone)}`;
  if (now === price) return `The same price as ${when}`;
  const difference = formatMoney(Math.abs(now - price), currency);
  return `${difference} ${now < price ? 'less' : 'more'} than ${when}`;
}

/** The sum of a page of savings, and what it is worth: nobody knows who bought. */
export function describeTotal(saved: number, deals: number, currency: string): string {
  return deals === 0
    ? 'Nothing yet: no deal that you keep or watch costs less than when you began.'
    : `${formatMoney(saved, currency)} less over ${countNoun(deals, 'deal')}, if you bought at that price.`;
}
