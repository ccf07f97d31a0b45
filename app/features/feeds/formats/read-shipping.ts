import { isBlankPrice } from './blank-cells.ts';
import type { FeedRow } from './feed-fields.ts';
import { currencyCode, parseFeedPrice } from './feed-price.ts';
import { toPlainLine } from './feed-text.ts';
import type { PriceRules } from './read-row-prices.ts';

/**
 * Returns the shipping cost of a row: an amount, or Google's `US:CA:Standard:4.95 USD`. If the cost
 * depends on the region, or is in another currency, the result is `null`.
 */
export function readShipping(
  { shipping_cost, currency }: FeedRow['values'],
  rules: PriceRules,
  notes: string[],
): number | null {
  const text = toPlainLine(shipping_cost ?? '');
  if (isBlankPrice(text)) return null;
  const parts = text.includes(':') ? text.split(/,(?=[^,]*:)/) : [text];
  const named = currency ? currencyCode(currency) : null;
  const unnamed = named ?? rules.feedCurrency ?? rules.currency;
  const costs = new Set(parts.map((part) => costOf(part, unnamed, rules)));
  const [cost = null] = costs;
  if (cost === null && costs.size === 1) {
    notes.push(`imported without its shipping cost: not an amount: ${text.slice(0, 40)}`);
  }
  return costs.size === 1 ? cost : null;
}

function costOf(part: string, unnamed: string, rules: PriceRules): number | null {
  const price = parseFeedPrice(part.slice(part.lastIndexOf(':') + 1), unnamed, rules.decimalMark);
  if (!price.ok) return price.reason === 'price is 0' ? 0 : null;
  return (price.currency ?? unnamed) === rules.currency ? price.amount : null;
}
