/**
 * The net contents of a deal: the amount in the package, as a feed or staff gave it. The stored
 * text is `700 g`, or `700 g per 100 g` with the base of the unit price. `unit_rank` in the
 * database has the same units.
 */

export type ContentsKind = 'weight' | 'volume' | 'length' | 'area' | 'pieces';

interface Unit {
  kind: ContentsKind;
  /** The size in grams, milliliters, centimeters, square meters or pieces. */
  size: number;
  /** The unit as shown on pages. */
  shown: string;
  /** The UN/CEFACT code, for structured data. */
  code: string;
  /** Other spellings, in lower case. */
  spellings: readonly string[];
}

function unit(
  kind: ContentsKind,
  size: number,
  shown: string,
  code: string,
  spellings: string,
): Unit {
  return { kind, size, shown, code, spellings: spellings.split(', ') };
}

/** The units by their names in Google's feeds. */
export const units = {
  mg: unit('weight', 0.001, 'mg', 'MGM', 'milligram, milligrams'),
  g: unit('weight', 1, 'g', 'GRM', 'gr, gram, grams'),
  kg: unit('weight', 1_000, 'kg', 'KGM', 'kilo, kilogram, kilograms'),
  oz: unit('weight', 28.349523125, 'oz', 'ONZ', 'ounce, ounces'),
  lb: unit('weight', 453.59237, 'lb', 'LBR', 'lbs, pound, pounds'),
  ml: unit('volume', 1, 'ml', 'MLT', 'milliliter, milliliters, millilitre, millilitres'),
  cl: unit('volume', 10, 'cl', 'CLT', 'centiliter, centiliters, centilitre, centilitres'),
  l: unit('volume', 1_000, 'l', 'LTR', 'liter, liters, litre, litres'),
  cbm: unit('volume', 1_000_000, 'm³', 'MTQ', 'm³, m3'),
  floz: unit('volume', 29.5735295625, 'fl oz', 'OZA', 'fl oz, fl. oz, fl. oz., fl.oz., us fl oz'),
  pt: unit('volume', 473.176473, 'pt', 'PTL', 'us pt'),
  qt: unit('volume', 946.352946, 'qt', 'QTL', 'us qt'),
  gal: unit('volume', 3_785.411784, 'gal', 'GLL', 'us gal'),
  cm: unit('length', 1, 'cm', 'CMT', 'centimeter, centimeters, centimetre, centimetres'),
  m: unit('length', 100, 'm', 'MTR', 'meter, meters, metre, metres'),
  in: unit('length', 2.54, 'in', 'INH', 'inch, inches'),
  ft: unit('length', 30.48, 'ft', 'FOT', 'foot, feet'),
  yd: unit('length', 91.44, 'yd', 'YRD', 'yard, yards'),
  sqm: unit('area', 1, 'm²', 'MTK', 'm², m2, sq m'),
  sqft: unit('area', 0.09290304, 'sq ft', 'FTK', 'sq ft, sq. ft., ft², ft2'),
  ct: unit(
    'pieces',
    1,
    'pieces',
    'C62',
    'count, piece, pieces, pcs, pc, unit, units, item, items, sheet, sheets',
  ),
} satisfies Record<string, Unit>;
export type UnitName = keyof typeof units;

export const unitNames = Object.keys(units).filter((name): name is UnitName => name in units);
const bySpelling = new Map<string, UnitName>(
  unitNames.flatMap((name) =>
    [name, ...units[name].spellings].map((text) => [text, name] as const),
  ),
);

export interface Amount {
  quantity: number;
  unit: UnitName;
}

interface NetContents {
  amount: Amount;
  /** The base of the unit price from the feed. If `null`, the site chooses one. */
  base: Amount | null;
}

const typedAmount =
  /^(?:(\d{1,4})\s?[x×*]\s?)?(\d{1,7}(?:[.,]\d{1,9})?)\s?(\p{L}[\p{L} .²³23]{0,14})$/iu;

/**
 * Reads an amount as people and feeds write it: `700 g`, `0,7 l`, `6 x 330 ml`. Returns `null` if
 * the unit is missing or unknown, or if the amount is ambiguous, such as `1,500 g`.
 */
export function readAmount(text: string): Amount | null {
  const [, packs = '1', number = '', word = ''] = typedAmount.exec(text.trim()) ?? [];
  const unitName = bySpelling.get(word.toLowerCase().replace(/\s+/g, ' '));
  if (unitName === undefined || /,\d{3}$/.test(number)) return null;
  const quantity = Number(packs) * Number(number.replace(',', '.'));
  const rounded = Number(quantity.toFixed(3));
  return rounded > 0 && rounded < 1e7 ? { quantity: rounded, unit: unitName } : null;
}

/**
 * The quantities that Google accepts as a base in any unit. `otherBases` are for wine and bulk
 * goods.
 */
const baseQuantities = new Set([1, 10, 100, 2, 4, 8]);
const otherBases = new Set(['75 cl', '750 ml', '50 kg', '1000 kg']);

/**
 * Reads a base such as `100 g` or `kg`. Returns `null` if it is not a standard base for this kind.
 */
export function readBase(text: string, kind: ContentsKind): Amount | null {
  const base = readAmount(/^\s*\d/.test(text) ? text : `1 ${text.trim()}`);
  if (base === null || units[base.unit].kind !== kind) return null;
  return baseQuantities.has(base.quantity) || otherBases.has(amountText(base)) ? base : null;
}

/**
 * Matches an amount such as `1.500 g`, which may mean thousands. The stored form never ends in such
 * a zero.
 */
const ambiguous = /(?<!\d)[1-9]\d{0,2}\.\d{2}0(?!\d)/;

/** Converts what staff typed to the stored form. Returns `null` if it is not an amount. */
export function readContents(text: string): string | null {
  const [first = '', second, third] = text.split(/\sper\s/i);
  const amount = ambiguous.test(first) ? null : readAmount(first);
  if (amount === null || third !== undefined) return null;
  if (second === undefined) return amountText(amount);
  const base = readBase(second, units[amount.unit].kind);
  return base && contentsText(amount, base);
}

/** Formats net contents in the stored form. */
export function contentsText(amount: Amount, base: Amount | null): string {
  return base ? `${amountText(amount)} per ${amountText(base)}` : amountText(amount);
}

function amountText({ quantity, unit: name }: Amount): string {
  return `${quantity} ${name}`;
}

/** Parses the stored form. Returns `null` for anything else. */
export function parseContents(stored: string | null): NetContents | null {
  const [first = '', second] = (stored ?? '').split(' per ');
  const amount = readAmount(first);
  return amount && { amount, base: second === undefined ? null : readAmount(second) };
}

/** Returns an amount as shown on pages: `700 g`, `1 piece`, `24 pieces`. */
export function showAmount({ quantity, unit: name }: Amount): string {
  return `${quantity.toLocaleString('en-US', { maximumFractionDigits: 3 })} ${showUnit(quantity, name)}`;
}

export function showUnit(quantity: number, name: UnitName): string {
  return name === 'ct' && quantity === 1 ? 'piece' : units[name].shown;
}
