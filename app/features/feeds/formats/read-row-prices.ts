import { mostUnits } from '#app/platform/money.ts';
import { isBlankPrice } from './blank-cells.ts';
import { mayBeWritten } from './currency-words.ts';
import { isWithinDates } from './feed-dates.ts';
import type { FeedRow } from './feed-fields.ts';
import {
  currencyCode,
  type FeedPrice,
  type NumberStyle,
  priceOf,
  takeApart,
} from './feed-price.ts';
import { mayBeMinor, type PriceEvidence } from './price-evidence.ts';

type Values = FeedRow['values'];

export interface PriceRules {
  /** The site's currency. A price in any other currency is rejected. */
  currency: string;
  now: Date;
  /** The currency of prices that name none, by default the site's. */
  feedCurrency?: string | null;
  decimalMark?: NumberStyle;
  /** Whether whole amounts next to a currency are whole units: `1999` is not `19.99`. */
  hasWholeAmounts?: boolean;
  /**
   * The evidence of the prices read so far, set while a feed is being read. Ambiguous prices are
   * deferred.
   */
  evidence?: PriceEvidence;
}

export type RowPrices =
  | { ok: true; sale_price: number; original_price: number | null }
  | {
      ok: false;
      reason: string;
      /** Whether the feed's other prices may still reveal how to read this one. */
      waits?: boolean;
    };

type PriceField = 'sale_price' | 'original_price';
type ReadPrice = FeedPrice & { waits?: boolean };

/**
 * An old price above this multiple of the price is probably an error. The plan ignores such an old
 * price.
 */
export const mostTimes = 20;

/**
 * Returns the sale price during a sale, else the regular one. An original price that is not higher
 * is ignored.
 */
export function readPrices(row: FeedRow, rules: PriceRules, notes: string[]): RowPrices {
  const { values } = row;
  const regular = readPrice(row, 'original_price', rules);
  const offered = readPrice(row, 'sale_price', rules);
  const sale = offered && isSaleOn(values, rules.now, notes) ? offered : null;
  // Many feeds write 0 for a missing value.
  if (sale === null || (regular?.ok && isZero(sale))) {
    if (!regular) return { ok: false, reason: 'no price' };
    return regular.ok ? priced(regular.amount) : refused(regular.reason, regular.waits);
  }
  if (!sale.ok) {
    const waits = sale.waits ?? (regular?.waits && isZero(sale));
    return refused(sale.reason.replace(/^price/, 'sale price'), waits);
  }
  if (!regular || isZero(regular)) return priced(sale.amount);
  const isTooLarge = !regular.ok && regular.reason.startsWith('price is too large');
  if (!regular.ok && !isTooLarge) return refused(regular.reason, regular.waits);
  const original = regular.ok ? regular.amount : mostUnits;
  if (original <= sale.amount) return priced(sale.amount);
  if (original <= sale.amount * mostTimes) return priced(sale.amount, regular.ok ? original : null);
  const was = values.original_price?.slice(0, 40) ?? '';
  notes.push(
    `the old price is not used, since it is more than ${mostTimes} times the price: ${was}`,
  );
  return priced(sale.amount, original);
}

function priced(sale_price: number, original_price: number | null = null) {
  return { ok: true as const, sale_price, original_price };
}

function refused(reason: string, waits = false): RowPrices {
  return { ok: false, reason, ...(waits && { waits }) };
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

/** Parses a price, or returns `null` if the row has none. */
function readPrice(row: FeedRow, field: PriceField, rules: PriceRules): ReadPrice | null {
  const { values } = row;
  const text = values[field];
  if (text === undefined || isBlankPrice(text)) return null;
  const named = values.currency ? currencyCode(values.currency) : null;
  const unnamed = named ?? rules.feedCurrency ?? rules.currency;
  const price = takeApart(text);
  const unit = currencyCode(price.word || unnamed) ?? unnamed;
  const isAmount = row.amounts?.includes(field) === true;
  const style = rules.decimalMark ?? 'auto';
  if (rules.evidence) {
    rules.evidence.add(price, unit, isAmount);
    if (rules.evidence.mustWait(price, unit, isAmount)) {
      return { ok: false, reason: 'price waits for the rest of the feed', waits: true };
    }
  }
  const isDoubtful = isAmount && style !== 'none' && !rules.hasWholeAmounts;
  if (isDoubtful && mayBeMinor(price, unit)) {
    return ask(`price is ambiguous, whole or in minor units: ${price.shown}`);
  }
  const read = priceOf(price, unnamed, style);
  if (!read.ok) {
    const isAsked = style === 'unsettled' && read.reason.startsWith('price is ambiguous');
    return isAsked ? ask(read.reason) : read;
  }
  const strange = [price.word, values.currency ?? ''].find((word) => !mayBeWritten(unnamed, word));
  const currency = strange ?? read.currency ?? unnamed;
  if (currency === rules.currency) return read;
  const theirs = currency.slice(0, 10);
  return {
    ok: false,
    reason: `price is in ${theirs}, but this site's currency is ${rules.currency}`,
  };
}

const ask = (reason: string): ReadPrice => ({
  ok: false,
  reason: `${reason}; choose the decimal mark in the source’s settings`,
});
