import { countNoun } from '#app/platform/count-noun.ts';

/**
 * The number of live and expired deals in a list, in which expired deals come last. If capped, the
 * list has more.
 */
export interface ListTotals {
  total: number;
  /** The number of expired deals in the total. */
  expiredTotal: number;
  isTotalCapped: boolean;
  /** The number of cards for live deals, if some cards represent several deals of one product. */
  productTotal?: number | null;
}

/**
 * Returns a text such as `228 deals of 190 products in Audio · 12 expired`. Counts on the site
 * include live deals only.
 */
export function countOfList(
  { total, expiredTotal, isTotalCapped, productTotal }: ListTotals,
  place = '',
): string {
  const products = productTotal ? ` of ${countNoun(productTotal, 'product')}` : '';
  const where = products + place;
  if (expiredTotal === 0) return dealCount(total, isTotalCapped) + where;
  const over = `${expiredTotal.toLocaleString('en-US')}${isTotalCapped ? '+' : ''}`;
  return `${dealCount(total - expiredTotal)}${where} · ${over} expired`;
}

/**
 * Returns a text such as `412 deals`, `1 deal`, or `12,000+ deals` if an exact count is too
 * expensive.
 */
export function dealCount(total: number, isCapped = false): string {
  const number = `${total.toLocaleString('en-US')}${isCapped ? '+' : ''}`;
  return total === 1 && !isCapped ? `${number} deal` : `${number} deals`;
}
