import type { DecimalMark } from '#database/schema/feed-tables.ts';

export type FeedPrice =
  | { ok: true; cents: number; currency: string | null }
  | { ok: false; reason: string };

const largestInCents = 2_147_483_647;
const currencyOfSymbol: Record<string, string> = {
  '€': 'EUR',
  '£': 'GBP',
  '¥': 'JPY',
  '₹': 'INR',
  '₽': 'RUB',
  '₩': 'KRW',
  zł: 'PLN',
  US$: 'USD',
  C$: 'CAD',
  A$: 'AUD',
};

/**
 * Reads what feeds write as a price: `120.99 USD`, `$120.99`, `1.299,00 EUR`, `1 299,00`. Cents, rounded;
 * the currency when one is named (a bare `$` names none: it is several currencies' sign).
 * A number with one dot and three digits behind it (`1.299`) may be a thousand or one and a bit: refused,
 * since a wrong guess would be wrong a thousandfold, unless the feed's decimal mark is known.
 */
export function parseFeedPrice(text: string, decimalMark: DecimalMark = 'auto'): FeedPrice {
  const shown = shorten(text.trim());
  if (shown === '') return { ok: false, reason: 'price is empty' };
  const parts =
    /^(?<before>\p{L}{3}|(?:US|C|A)?\$|[€£¥₹₽₩])?\s*(?<minus>[-−])?\s*(?<number>\d[\d.,'’\s]*)\s*(?<after>\p{L}{3}|zł|\$|[€£¥₹₽₩])?$/u.exec(
      text.trim().replace(/^([-−])\s*([$€£¥₹₽₩]|\p{L}{3})/u, '$2$1'),
    )?.groups;
  const number = parts?.number && toDecimal(parts.number.trim(), decimalMark);
  if (!parts || !number || (parts.before && parts.after)) {
    return { ok: false, reason: `price is not a number: ${shown}` };
  }
  if (decimalMark === 'auto' && /^[1-9]\d{0,2}\.\d{3}$/.test(number)) {
    return { ok: false, reason: `price is ambiguous, thousands or decimals: ${shown}` };
  }
  const cents = Math.round(Number(number) * 100);
  if (parts.minus && cents > 0) return { ok: false, reason: `price is negative: ${shown}` };
  if (cents === 0) return { ok: false, reason: 'price is 0' };
  if (cents > largestInCents) return { ok: false, reason: `price is too large: ${shown}` };
  const sign = parts.before ?? parts.after ?? '';
  const currency =
    sign === '$' || sign === '' ? null : (currencyOfSymbol[sign] ?? sign.toUpperCase());
  return { ok: true, cents, currency };
}

/** The number with a point for its decimals and nothing else, or null when its groups make no sense. */
function toDecimal(number: string, decimalMark: DecimalMark): string | null {
  const plain = number.replace(/[\s'’](?=\d{3}(?!\d))/gu, '');
  const withPoint = /^(\d+|\d{1,3}(,\d{3})+)(\.\d+)?$/.test(plain);
  if (withPoint && decimalMark !== 'comma') return plain.replaceAll(',', '');
  const withComma = /^(\d+|\d{1,3}(\.\d{3})+)(,\d+)?$/.test(plain);
  if (withComma && decimalMark !== 'point') return plain.replaceAll('.', '').replace(',', '.');
  return null;
}

function shorten(text: string): string {
  return text.length <= 40 ? text : `${text.slice(0, 40)}…`;
}
