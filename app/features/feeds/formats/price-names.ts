import { type FeedRow, type FieldSources, isPlainPrice, isPriceField } from './feed-fields.ts';

/** Whether a column is named just "price", with or without a word about taxes. */
export function isAnyPlainPrice(name: string): boolean {
  return isPlainPrice(name) || isPlainPrice(withoutTax(name) ?? '');
}

const wordSet = (words: string) => new Set(words.split(' '));
const taxes = wordSet('vat tax taxes btw mwst ust iva tva moms mva dph kdv gst pdv');
const including = wordSet(
  'incl inc including inkl inklusive inclusief with mit con com avec med s z',
);
const included = wordSet('incl inc included inclusive incluido incluida inclusa comprise dahil');
const alone = wordSet('vat ttc gross brutto ivato ivata');

/** Returns the name of a price without its words for "with tax", or `null` if it has none. */
function withoutTax(name: string): string | null {
  const words = name.split('_');
  const [last = '', before = ''] = words.toReversed();
  const saysBoth =
    (including.has(before) && taxes.has(last)) || (taxes.has(before) && included.has(last));
  if (saysBoth) return words.slice(0, -2).join('_');
  if (alone.has(last)) return words.slice(0, -1).join('_');
  const prefix = ['gross_', 'brutto_', 'brutto'].find((start) => name.startsWith(start));
  return prefix === undefined ? null : name.slice(prefix.length);
}

/** A number larger than the number of names of any field. */
const betterRanks = 2_000;

/**
 * Returns the fields that a column may fill. A price "with tax" is preferred to the same price
 * without tax, and is recognized whenever the plain name is. A column that the user chose is not
 * replaced.
 */
export function sourcesFor(sources: FieldSources, name: string): Found {
  const known = sources.get(name) ?? [];
  const base = withoutTax(name);
  if (base === null || known.some(({ isChosen }) => isChosen)) return known;
  const untaxed = sources.get(base) ?? [];
  const taxedToo = untaxed.filter(({ field, isChosen }) => isPriceField(field) && !isChosen);
  if (taxedToo.length === 0) return known;
  return taxedToo.map(({ field, rank }) => ({ field, rank: rank - betterRanks }));
}

type Found = NonNullable<ReturnType<FieldSources['get']>>;

const oldWords =
  /(?:^|_)(?:old|was|before|previous|former|compare|crossed|strike|striked|strikethrough|rrp|msrp|srp|uvp|barre|ancien|avant|alter|alt|streich|statt|vorher|anterior|antes|tachado|barrato|precedente|oude|oud|van|stara|przed|puvodni|povodna|pred|tidligere|gammelt|antigo)(?:_|$)/;
const oldNames = new Set(
  'oldprice priceold wasprice compareatprice formerprice previousprice strikeprice alterpreis streichpreis stattpreis vanprijs adviesprijs forpris старая_цена'.split(
    ' ',
  ),
);

/** Whether a column's name means that its price is outdated. */
export function isOldPrice(name: string): boolean {
  return oldNames.has(name) || oldWords.test(name);
}

/** A price named just "price", an old price, or a price that cannot be the current one. */
export type PriceSide = 'plain' | 'old' | 'oldOnly';

/** Returns the kind of a row's regular price, by the name of its column or element. */
export function sideOf(name: string): PriceSide {
  if (isAnyPlainPrice(name)) return 'plain';
  return isOldPrice(name) ? 'oldOnly' : 'old';
}

/**
 * Sets the prices of a row without a sale price. Next to an old price, "price" is the current one.
 * If the row's only price is an old one, it is removed.
 */
export function useOldPrice(
  values: FeedRow['values'],
  { plain, old, isOldOnly }: Record<'plain' | 'old', string | undefined> & { isOldOnly: boolean },
): void {
  if (plain && old) {
    values.sale_price = plain;
    values.original_price = old;
  } else if (isOldOnly && !plain) delete values.original_price;
}
