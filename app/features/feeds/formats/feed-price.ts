import { exponentOf, fromNumber, mostUnits } from '#app/platform/money.ts';
import type { DecimalMark } from '#database/schema/feed-tables.ts';

export type FeedPrice =
  | { ok: true; amount: number; currency: string | null }
  | { ok: false; reason: string };

/** Characters, including a cut cell's ellipsis. */
const longestPrice = 101;
/** Symbols and words that feeds use instead of a currency code; `?` means several currencies. */
const currencyWords: Record<string, string> = {
  '?': '$ kr kr.',
  AUD: 'a$ au$',
  BGN: 'лв лв.',
  BRL: 'r$',
  CAD: 'c$ ca$',
  CHF: 'fr fr. sfr sfr.',
  CZK: 'kč kc',
  EUR: '€ euro euros',
  GBP: '£ pound pounds',
  HKD: 'hk$',
  HUF: 'ft',
  ILS: '₪',
  INR: '₹ rs rs.',
  JPY: '¥',
  KRW: '₩',
  KZT: '₸',
  MXN: 'mx$',
  NGN: '₦',
  NZD: 'nz$',
  PHP: '₱',
  PLN: 'zł zl',
  RON: 'lei',
  RUB: '₽ rur руб руб. р. rub.',
  SGD: 's$',
  THB: '฿',
  TRY: '₺ tl',
  UAH: '₴ грн грн.',
  USD: 'us$ usd$ dollar dollars',
  VND: '₫ đ',
};
const currencyOfWord = new Map(
  Object.entries(currencyWords).flatMap(([code, words]) =>
    words.split(' ').map((word): [string, string | null] => [word, code === '?' ? null : code]),
  ),
);

/**
 * Returns a currency's code by any of its names: `EUROS`, `RUR`, `kč`. `null` if several currencies
 * share the name.
 */
export function currencyCode(text: string): string | null {
  const word = text.trim().toLowerCase();
  const known = currencyOfWord.get(word);
  return known === undefined ? word.toUpperCase() : known;
}

/** Converts digits of any script, and removes remains of wrong decoding and notes about taxes. */
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

/** The ten digits of a script are consecutive. */
function asciiDigit(sign: string): string {
  let value = 0;
  for (let code = sign.codePointAt(0) ?? 0; value < 9; value++) {
    if (!/^\p{Nd}$/u.test(String.fromCodePoint(code - value - 1))) break;
  }
  return String(value);
}

const shape =
  /^(?<before>\p{L}{1,7}\.?|(?:\p{L}{1,3})?\$|[€£¥₹₽₩₴₺₪₫฿₱₦₸])?\s*(?<minus>[-−])?\s*(?<number>\d[\d.,'’_\s]*(?:e[+-]?\d{1,2})?)\s*(?<after>\p{L}{1,7}\.?|\$|[€£¥₹₽₩₴₺₪₫฿₱₦₸])?$/iu;

/**
 * Parses a feed's price: `120.99 USD`, `$120.99`, `1.299,00 EUR`, `1 299,00`, `1.2e3`. Returns
 * rounded minor units of the named currency, else of `unnamed`; `$` alone names none, since several
 * currencies use it. A number with three digits after one dot (`1.299`) may be thousands or
 * decimals. It is rejected unless the feed's decimal mark is known, since a wrong guess is off by a
 * factor of a thousand. With a currency of three decimals, it is decimals and `1,299` is rejected
 * instead; with one of none, it is thousands.
 */
export function parseFeedPrice(
  text: string,
  unnamed: string,
  decimalMark: DecimalMark = 'auto',
): FeedPrice {
  const shown = shorten(text.trim());
  if (shown === '') return { ok: false, reason: 'price is empty' };
  if (text.length > longestPrice) return { ok: false, reason: `price is not a number: ${shown}` };
  const parts = shape.exec(
    plainNumber(text.trim()).replace(/^([-−])\s*([$€£¥₹₽₩]|\p{L}{3})/u, '$2$1'),
  )?.groups;
  const written = parts?.number?.trim() ?? '';
  const number = toDecimal(written, decimalMark);
  const word = parts?.before ?? parts?.after ?? '';
  const currency = word === '' ? null : currencyCode(word);
  const isWord = currency !== null && !/^[A-Z]{3}$/.test(currency);
  if (!parts || !number || isWord || (parts.before && parts.after)) {
    return { ok: false, reason: `price is not a number: ${shown}` };
  }
  const unit = currency ?? unnamed;
  const exponent = exponentOf(unit);
  if (decimalMark === 'auto' && isRiddle(written, exponent)) {
    return { ok: false, reason: `price is ambiguous, thousands or decimals: ${shown}` };
  }
  const isThousand = exponent === 0 && decimalMark === 'auto' && oneDot.test(written);
  const amount = fromNumber(Number(isThousand ? written.replace('.', '') : number), unit);
  if (parts.minus && amount > 0) return { ok: false, reason: `price is negative: ${shown}` };
  if (amount === 0) return { ok: false, reason: 'price is 0' };
  if (amount > mostUnits) return { ok: false, reason: `price is too large: ${shown}` };
  return { ok: true, amount, currency };
}

const oneDot = /^[1-9]\d{0,2}\.\d{3}$/;

/**
 * Whether three digits after one mark may be decimals or thousands. In a currency without decimals
 * `19.990` is thousands, but some programs write `500.000` for 500.
 */
function isRiddle(written: string, exponent: number): boolean {
  if (exponent >= 3) return /^[1-9]\d{0,2},\d{3}$/.test(written);
  return oneDot.test(written) && (exponent > 0 || written.endsWith('.000'));
}

/** Returns the number with a decimal point only, or `null` if its groups are invalid. */
function toDecimal(number: string, decimalMark: DecimalMark): string | null {
  const plain = number.replace(/[\s'’_](?=\d{3}(?!\d))/gu, '');
  // Too many decimals for a group of thousands.
  if (/^\d+([.,]\d+)?e[+-]?\d+$/i.test(plain)) return Number(plain.replace(',', '.')).toFixed(4);
  if (/^\d{1,2}(,\d{2})+,\d{3}(\.\d+)?$/.test(plain) && decimalMark !== 'comma') {
    return plain.replaceAll(',', '');
  }
  const withPoint = /^(\d+|\d{1,3}(,\d{3})+)(\.\d+)?$/.test(plain);
  if (withPoint && decimalMark !== 'comma') return plain.replaceAll(',', '');
  const withComma = /^(\d+|\d{1,3}(\.\d{3})+)(,\d+)?$/.test(plain);
  if (withComma && decimalMark !== 'point') return plain.replaceAll('.', '').replace(',', '.');
  return null;
}

function shorten(text: string): string {
  return text.length <= 40 ? text : `${text.slice(0, 40)}…`;
}
