/**
 * Money is an integer number of minor units of its currency, with the exponent of ISO 4217.
 * Decimals exist only in input and output, and only this file converts between the two.
 */

/**
 * The exponents other than two, by ISO 4217. Browsers and ICU disagree on some, so this table
 * decides.
 */
const exponents: Record<string, string> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
};
const exponentByCode = new Map(
  Object.entries(exponents).flatMap(([exponent, codes]) =>
    codes.split(' ').map((code): [string, number] => [code, Number(exponent)]),
  ),
);

/** Returns the number of decimals of a currency: 0 for JPY, 2 for USD, 3 for KWD. */
export function exponentOf(currency: string): number {
  return exponentByCode.get(currency) ?? 2;
}

/** Returns the number of minor units per unit: 1 for JPY, 100 for USD, 1000 for KWD. */
export function unitsIn(currency: string): number {
  return 10 ** exponentOf(currency);
}

/** minor units; the largest amount that a column can store */
export const mostUnits = 2_147_483_647;

const formatters = new Map<string, Intl.NumberFormat>();

/**
 * Formats an amount: `1999` of USD → `$19.99`. `wholeIfRound` drops the decimals of a round amount:
 * `3500` → `$35`.
 */
export function formatMoney(
  amount: number,
  currency: string,
  options: { wholeIfRound?: boolean } = {},
): string {
  const isWhole = options.wholeIfRound === true && isRound(amount, currency);
  const key = `${currency} ${isWhole}`;
  const digits = isWhole ? 0 : exponentOf(currency);
  const formatter =
    formatters.get(key) ??
    new Intl.NumberFormat('en-US', {
      style: 'currency',
      currency,
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    });
  formatters.set(key, formatter);
  return formatter.format(amount / unitsIn(currency));
}

/** Returns whether an amount has no fraction of a dollar, yen or dinar. */
export function isRound(amount: number, currency: string): boolean {
  return amount % unitsIn(currency) === 0;
}

/**
 * Formats an amount for form fields, feeds and structured data: `1999` of USD → `19.99`, of JPY →
 * `1999`, of KWD → `1.999`.
 */
export function toDecimal(amount: number, currency: string): string {
  const exponent = exponentOf(currency);
  const sign = amount < 0 ? '-' : '';
  const digits = String(Math.abs(amount)).padStart(exponent + 1, '0');
  return exponent === 0
    ? `${sign}${digits}`
    : `${sign}${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`;
}

/** Converts a number, as sent in JSON, to the nearest amount: `19.99` of USD → `1999`. */
export function fromNumber(number: number, currency: string): number {
  return Math.round(Number((number * unitsIn(currency)).toFixed(3)));
}

const sign = String.raw`(?:[A-Z]{0,3}\p{Sc}|[A-Z]{3}|eur|kr\.?|zł|Kč|Ft|lei|Fr\.)`;

/** characters; the regular expressions take quadratic time */
const longestTyped = 60;

function numberPattern(exponent: number): string {
  const decimals = exponent === 0 ? '0{1,2}' : String.raw`\d{1,${exponent}}`;
  // In a currency with three decimals, `1,249` may mean 1249 or 1.249. In one without decimals,
  // `1.249` can only mean 1249.
  const riddle = exponent < 3 ? '' : String.raw`(?![1-9]\d{0,2},\d{3}(?![.,\d]))`;
  const dotted = exponent === 0 ? '+' : '{2,}';
  const forms = [
    String.raw`(?:\d{1,10}|[1-9]\d{0,2}(?:['’\s]\d{3})+)(?:[.,]${decimals})?`,
    String.raw`[1-9]\d{0,2}(?:,\d{3})+(?:\.${decimals})?`,
    String.raw`[1-9]\d{0,2}(?:(?:\.\d{3})+,${decimals}|(?:\.\d{3})${dotted})`,
  ];
  return `${riddle}(?:${forms.join('|')})`;
}

const patterns = [0, 1, 2, 3, 4].map(
  (exponent) => String.raw`\s*(?:${sign}\s*)?(?:${numberPattern(exponent)})(?:\s*${sign})?\s*`,
);
const typedMoney = patterns.map((pattern) => new RegExp(`^${pattern}$`, 'u'));

/** Returns the `pattern` of an input that matches exactly the texts that `parseMoney` reads. */
export function moneyPattern(currency: string): string {
  return patterns[exponentOf(currency)] ?? '';
}

/**
 * Parses a typed price to minor units: `19.99`, `$1,299`, `1.249,99 €`, `1 249,99`, `1'249.99`.
 * Returns null if it is not a price. With two decimals, `1,249` is 1249, as our pages write it, and
 * `1.249` is refused as ambiguous. With none, both are 1249. With three, `1.249` is 1.249 and
 * `1,249` is refused. Currency signs are ignored, since the caller knows the currency.
 */
export function parseMoney(text: string, currency: string): number | null {
  const exponent = exponentOf(currency);
  if (text.length > longestTyped || !typedMoney[exponent]?.test(text)) return null;
  const bare = text.replace(/^\D+|\D+$/g, '');
  const fraction = fractionOf(bare, exponent);
  const whole = bare.slice(0, bare.length - fraction.length).replace(/\D/g, '');
  const amount =
    Number(whole) * unitsIn(currency) + Number(fraction.padEnd(exponent, '0').slice(0, exponent));
  return amount <= mostUnits ? amount : null;
}

/**
 * Returns the decimals of a number that matches the pattern. A separator that appears twice
 * separates thousands.
 */
function fractionOf(bare: string, exponent: number): string {
  const found = /([.,])(\d{1,4})$/.exec(bare);
  const [, mark = '', digits = ''] = found ?? [];
  const isDecimal = digits.length <= Math.max(exponent, 2) && bare.indexOf(mark) === found?.index;
  return isDecimal ? digits : '';
}

/** Returns advice on how to write an ambiguous price, or null if the price is not ambiguous. */
export function twoWaysToRead(text: string, currency: string): string | null {
  const exponent = exponentOf(currency);
  const mark = exponent < 3 ? String.raw`\.` : ',';
  const riddle = new RegExp(String.raw`^\D*(([1-9]\d{0,2})${mark}(\d{3}))\D*$`);
  const [, typed, whole = '', thousandths = ''] = riddle.exec(text) ?? [];
  if (!typed || exponent === 0) return null;
  const small =
    exponent < 3 ? Number(`${whole}.${thousandths}`).toFixed(2) : `${whole}.${thousandths}`;
  return `Write ${whole}${thousandths} or ${small}: ${typed} could be either`;
}

const hints = [
  'A whole price such as 1999 or 1,999',
  'A price such as 25, 249.99 or 249,99, but not 1.249, which is ambiguous',
  'A price such as 25, 249.999 or 249,5, but not 1,249, which is ambiguous',
];

/** Describes what `moneyPattern` accepts. */
export function moneyHint(currency: string): string {
  return hints[Math.min(2, Math.ceil(exponentOf(currency) / 2))] ?? '';
}

/** Returns a price as an example for a hint: `19.99`, `1999`, `19.999`. */
export function examplePrice(currency: string): string {
  return toDecimal(20 * Math.max(100, unitsIn(currency)) - 1, currency);
}

/** Returns the smallest positive amount as text: `0.01`, `1`, `0.001`. */
export function smallestPrice(currency: string): string {
  return toDecimal(1, currency);
}
