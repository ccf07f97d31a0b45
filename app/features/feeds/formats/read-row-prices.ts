import type { DecimalMark } from '#database/schema/feed-tables.ts';
import { isWithinDates } from './feed-dates.ts';
import type { FeedRow } from './feed-fields.ts';
import { currencyCode, type FeedPrice, parseFeedPrice } from './feed-price.ts';

export interface PriceRules {
  /** The site's currency; a price in another one is rejected. */
  currency: string;
  now: Date;
  /** The currency of prices without one; by default the site's. */
  feedCurrency?: string | null;
  decimalMark?: DecimalMark;
}

type Values = FeedRow['values'];

type Prices =
  | { ok: true; sale_price: number; original_price: number | null }
  | { ok: false; reason: string };

/**
 * Returns the sale price during a sale, else the regular one; an "original" price that is not
 * higher is ignored.
 */
export function readPrices(values: Values, rules: PriceRules, notes: string[]): Prices {
  const regular = values.original_price ? readPrice(values.original_price, values, rules) : null;
  const isAlone = !values.sale_price || !isSaleOn(values, rules.now, notes);
  const sale = isAlone ? null : readPrice(values.sale_price ?? '', values, rules);
  // Many feeds write 0 for no value.
  if (sale === null || (regular?.ok && isZero(sale))) {
    if (!regular) return { ok: false, reason: 'no price' };
    return regular.ok ? { ok: true, sale_price: regular.amount, original_price: null } : regular;
  }
  if (!sale.ok) return { ok: false, reason: sale.reason.replace(/^price/, 'sale price') };
  if (regular && isZero(regular)) {
    return { ok: true, sale_price: sale.amount, original_price: null };
  }
  if (regular && !regular.ok) return regular;
  const original = regular && regular.amount > sale.amount ? regular.amount : null;
  return { ok: true, sale_price: sale.amount, original_price: original };
}

const isZero = (price: FeedPrice) => !price.ok && price.reason === 'price is 0';

function isSaleOn(values: Values, now: Date, notes: string[]): boolean {
  if (!values.sale_dates) return true;
  const isOn = isWithinDates(values.sale_dates, now);
  const dates = values.sale_dates.slice(0, 80);
  if (isOn === null) {
    notes.push(`the dates of the sale cannot be read, so the regular price stands: ${dates}`);
  }
  return isOn ?? false;
}

function readPrice(text: string, values: Values, rules: PriceRules): FeedPrice {
  const beside = values.currency && currencyCode(values.currency);
  const unnamed = beside || (rules.feedCurrency ?? rules.currency);
  const price = parseFeedPrice(text, unnamed, rules.decimalMark);
  if (!price.ok) return price;
  const currency = price.currency ?? unnamed;
  if (currency === rules.currency) return price;
  const theirs = currency.slice(0, 10);
  return {
    ok: false,
    reason: `price is in ${theirs}, but this site's currency is ${rules.currency}`,
  };
}
