/** Money is integer minor units of the site's one currency (P2); decimals exist only at the edges. */

const formatters = new Map<string, Intl.NumberFormat>();

/** `1999` → `$19.99`. `wholeIfRound` drops the decimals of a round sum: `3500` → `$35`. */
export function formatMoney(
  cents: number,
  currency = 'USD',
  options: { wholeIfRound?: boolean } = {},
): string {
  const isWhole = options.wholeIfRound === true && cents % 100 === 0;
  const key = `${currency} ${isWhole}`;
  const decimals = isWhole ? { minimumFractionDigits: 0, maximumFractionDigits: 0 } : {};
  const formatter =
    formatters.get(key) ??
    new Intl.NumberFormat('en-US', { style: 'currency', currency, ...decimals });
  formatters.set(key, formatter);
  return formatter.format(cents / 100);
}

/** `1999` → `19.99`, for form fields, feeds and structured data. */
export function centsToDecimal(cents: number): string {
  const sign = cents < 0 ? '-' : '';
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

const sign = String.raw`(?:[A-Z]{0,3}\p{Sc}|[A-Z]{3}|eur|kr\.?|zł|Kč|Ft|lei|Fr\.)`;
const decimals = String.raw`[.,]\d{1,2}`;
const number = [
  String.raw`(?:\d{1,9}|[1-9]\d{0,2}(?:['’\s]\d{3})+)(?:${decimals})?`,
  String.raw`[1-9]\d{0,2}(?:,\d{3})+(?:\.\d{1,2})?`,
  String.raw`[1-9]\d{0,2}(?:(?:\.\d{3})+,\d{1,2}|(?:\.\d{3}){2,})`,
].join('|');

/** What `parseMoney` reads, as the `pattern` of an input. */
export const moneyPattern = String.raw`\s*(?:${sign}\s*)?(?:${number})(?:\s*${sign})?\s*`;
/** Characters; the expression takes quadratic time. */
const longestTyped = 60;
const typedMoney = new RegExp(`^${moneyPattern}$`, 'u');

/**
 * What a person types as a price, in cents: `19.99`, `$1,299`, `1.249,99 €`, `1 249,99`, `1'249.99`. Null when it is
 * no price. `1,249` is read as our pages write it, 1249; `1.249` may be that or one and a bit, so it is none. A sign
 * says nothing: the site has one currency.
 */
export function parseMoney(text: string): number | null {
  if (text.length > longestTyped || !typedMoney.test(text)) return null;
  const bare = text.replace(/^\D+|\D+$/g, '');
  const [, fraction = ''] = /[.,](\d{1,2})$/.exec(bare) ?? [];
  const whole = bare.slice(0, bare.length - fraction.length).replace(/\D/g, '');
  const cents = Number(whole) * 100 + Number(fraction.padEnd(2, '0'));
  return cents <= 2_147_483_647 ? cents : null;
}

/** What to write instead of a price that can be read in two ways. Null when that is not what is wrong with it. */
export function twoWaysToRead(text: string): string | null {
  const [, typed, whole, thousandths] = /^\D*(([1-9]\d{0,2})\.(\d{3}))\D*$/.exec(text) ?? [];
  if (!typed) return null;
  return `Write ${whole}${thousandths} or ${Number(typed).toFixed(2)}: ${typed} could be either`;
}
