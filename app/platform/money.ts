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

/** What a person types as a price, in cents: `19.99`, `$1,299`, `35`. Null when it is no price. */
export function parseMoney(text: string): number | null {
  const plain = text
    .trim()
    .replace(/^[$€£]\s*/, '')
    .replace(/,(?=\d{3}\b)/g, '');
  if (!/^\d{1,9}(\.\d{1,2})?$/.test(plain)) return null;
  const [whole = '0', fraction = ''] = plain.split('.');
  const cents = Number(whole) * 100 + Number(fraction.padEnd(2, '0'));
  return cents <= 2_147_483_647 ? cents : null;
}
