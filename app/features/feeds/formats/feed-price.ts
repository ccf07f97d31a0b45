import { exponentOf, fromNumber, mostUnits } from '#app/platform/money.ts';
import type { DecimalMark } from '#database/schema/feed-tables.ts';
import { currencyOfWord } from './currency-words.ts';

export type FeedPrice =
  | { ok: true; amount: number; currency: string | null }
  | { ok: false; reason: string };

/**
 * The notation of numbers. `auto`: the price has no feed to compare with. `unsettled`: the feed's
 * other prices leave the notation open or contradict each other.
 */
export type NumberStyle = DecimalMark | 'unsettled';

/** characters, including the ellipsis of a truncated cell */
const longestPrice = 101;
/**
 * Converts digits in any script to ASCII, and removes notes about taxes and characters left by
 * wrong decoding.
 */
function plainNumber(text: string): string {
  if (/^(?:[A-Z]{3} ?)?[\d.,€£$]+(?: ?[A-Z]{3})?$/.test(text)) return text;
  return text
    .replace(/Â(?=[\s£€$\d])/gu, '')
    .normalize('NFKC')
    .replace(/(?![0-9])\p{Nd}/gu, asciiDigit)
    .replace(/\u066B/g, ',')
    .replace(/[\u066C\u02D9\u00B7](?=\d{3})/g, ' ')
    .replace(/\(?\b(?:TTC|inkl\.?|incl\.?|inc\.?|VAT|MwSt\.?|BTW|IVA)(?![\p{L}])\)?/giu, '')
    .replace(/(\d)[.,]?\s?(?:--?|–|—)(?=\D*$)/u, '$1')
    .trim();
}

/** Converts a digit in any script to ASCII. The ten digits of a script are consecutive. */
function asciiDigit(sign: string): string {
  let value = 0;
  for (let code = sign.codePointAt(0) ?? 0; value < 9; value++) {
    if (!/^\p{Nd}$/u.test(String.fromCodePoint(code - value - 1))) break;
  }
  return String(value);
}

const shape =
  /^(?<before>\p{L}{1,7}\.?|(?:\p{L}{1,3})?\$|[€£¥₹₽₩₴₺₪₫฿₱₦₸])?\s*(?<minus>[-−])?\s*(?<number>\d[\d.,'’_\s]*(?:e[+-]?\d{1,2})?)\s*(?<after>\p{L}{1,7}\.?|\$|[€£¥₹₽₩₴₺₪₫฿₱₦₸])?$/iu;

/** A price's text, split into its parts. */
export interface PriceText {
  /** The price as shown in messages. */
  shown: string;
  /** The number as written; empty if the text is not a price. */
  written: string;
  isNegative: boolean;
  /** The currency's symbol, word or code. */
  word: string;
}

/** Splits a price's text into its parts, independently of its feed. */
export function takeApart(text: string): PriceText {
  const trimmed = text.trim();
  const shown = shorten(trimmed);
  const none = { shown, written: '', isNegative: false, word: '' };
  if (text.length > longestPrice) return none;
  const parts = shape.exec(
    plainNumber(trimmed).replace(/^([-−])\s*([$€£¥₹₽₩]|\p{L}{3})/u, '$2$1'),
  )?.groups;
  if (!parts || (parts.before && parts.after)) return none;
  return {
    shown,
    written: parts.number?.trim() ?? '',
    isNegative: parts.minus !== undefined,
    word: parts.before ?? parts.after ?? '',
  };
}

/**
 * Parses a feed's price: `120.99 USD`, `$120.99`, `1.299,00 EUR`, `1 299,00`, `1.2e3`. Returns
 * rounded minor units of the named currency, else of `unnamed`; `$` alone names none, since
 * several currencies use it. A number with three digits after one dot (`1.299`) may be thousands
 * or decimals. Such a number is rejected unless the feed's decimal mark is known. A wrong guess
 * would be off by a factor of a thousand. In a currency with three decimals, `1.299` has decimals
 * and `1,299` is rejected instead; in one without decimals, `1.299` is thousands. In an
 * `unsettled` feed, `1,299` is ambiguous, too.
 */
export function parseFeedPrice(
  text: string,
  unnamed: string,
  style: NumberStyle = 'auto',
): FeedPrice {
  return priceOf(takeApart(text), unnamed, style);
}

/** Converts the parts of a price to an amount. */
export function priceOf(text: PriceText, unnamed: string, style: NumberStyle): FeedPrice {
  const { shown, written, word } = text;
  if (shown === '') return { ok: false, reason: 'price is empty' };
  const number = toDecimal(written, style);
  const currency = word === '' ? null : currencyCode(word);
  const isWord = currency !== null && !/^[A-Z]{3}$/.test(currency);
  if (!number || isWord) return { ok: false, reason: `price is not a number: ${shown}` };
  const unit = currency ?? unnamed;
  const exponent = exponentOf(unit);
  if (isAmbiguous(written, exponent, style)) {
    return { ok: false, reason: `price is ambiguous, thousands or decimals: ${shown}` };
  }
  const isThousand = exponent === 0 && !isMark(style) && oneDot.test(written);
  const amount = amountOf(isThousand ? written.replace('.', '') : number, unit, style);
  if (text.isNegative && amount > 0) return { ok: false, reason: `price is negative: ${shown}` };
  if (amount === 0) return { ok: false, reason: 'price is 0' };
  if (amount > mostUnits) return { ok: false, reason: `price is too large: ${shown}` };
  return { ok: true, amount, currency };
}

/**
 * Returns a currency's code by any of its names, or `null` if several currencies share the name.
 */
export function currencyCode(text: string): string | null {
  const word = text.trim().toLowerCase();
  const known = currencyOfWord.get(word);
  return known === undefined ? word.toUpperCase() : known;
}

/**
 * Returns the amount in minor units. If the notation has no mark, the number is already in minor
 * units: `1999` is `19.99`.
 */
function amountOf(number: string, unit: string, style: NumberStyle): number {
  const isMinor = style === 'none' && /^\d+$/.test(number);
  return isMinor ? Number(number) : fromNumber(Number(number), unit);
}

const isMark = (style: NumberStyle) => style === 'point' || style === 'comma';
const oneDot = /^[1-9]\d{0,2}\.\d{3}$/;
const oneMark = /^[1-9]\d{0,2}[.,]\d{3}$/;

/**
 * Whether three digits after one mark may be decimals or thousands. In a currency without decimals
 * `19.990` is thousands, but some programs write `500.000` for 500. In a currency with three
 * decimals, a point precedes decimals unless the feed shows otherwise.
 */
function isAmbiguous(written: string, exponent: number, style: NumberStyle): boolean {
  if (isMark(style)) return false;
  if (exponent >= 3) return oneMark.test(written) && written.includes(',');
  const isRiddle = (style === 'auto' ? oneDot : oneMark).test(written);
  return isRiddle && (exponent > 0 || written.endsWith('000'));
}

/** Whether the number is read differently with a decimal comma than with a decimal point. */
export function dependsOnMark({ written }: PriceText, unit: string): boolean {
  return oneMark.test(written) && (exponentOf(unit) > 0 || written.endsWith('000'));
}

/** Returns the decimal mark that a number reveals, or `null` if the number is ambiguous. */
export function shownMark({ written }: PriceText, unit: string): 'point' | 'comma' | null {
  const last = Math.max(written.lastIndexOf('.'), written.lastIndexOf(','));
  if (last === -1 || /e/i.test(written)) return null;
  const mark = written[last] === '.' ? '.' : ',';
  const [shown, other] =
    mark === '.' ? (['point', 'comma'] as const) : (['comma', 'point'] as const);
  const isRepeated = written.indexOf(mark) !== last;
  if (!isRepeated && !written.includes(mark === '.' ? ',' : '.')) {
    const isGroup = written.length - last === 4 && /^[1-9]\d{0,2}[.,]/.test(written);
    if (!isGroup) return shown;
    // A currency without decimals has only thousands separators.
    return exponentOf(unit) === 0 && !written.endsWith('000') ? other : null;
  }
  if (toDecimal(written, 'auto') === null) return null;
  return isRepeated ? other : shown;
}

/** Returns the number with a decimal point only, or `null` if its groups are invalid. */
function toDecimal(number: string, style: NumberStyle): string | null {
  const plain = number.replace(/[\s'’_](?=\d{3}(?!\d))/gu, '');
  // Too many decimals to be a group of thousands.
  if (/^\d+([.,]\d+)?e[+-]?\d+$/i.test(plain)) return Number(plain.replace(',', '.')).toFixed(4);
  if (/^[1-9]\d?(,\d{2})+,\d{3}(\.\d+)?$/.test(plain) && style !== 'comma') {
    return plain.replaceAll(',', '');
  }
  const withPoint = /^(\d+|[1-9]\d{0,2}(,\d{3})+)(\.\d+)?$/.test(plain);
  if (withPoint && style !== 'comma') return plain.replaceAll(',', '');
  const withComma = /^(\d+|[1-9]\d{0,2}(\.\d{3})+)(,\d+)?$/.test(plain);
  if (withComma && style !== 'point') return plain.replaceAll('.', '').replace(',', '.');
  return null;
}

function shorten(text: string): string {
  return text.length <= 40 ? text : `${text.slice(0, 40)}…`;
}
