import type { DealListInput } from '#app/features/deals/deal-list-input.ts';
import { fold } from '#app/platform/fold.ts';
import { parseMoney } from '#app/platform/money.ts';
import { fillerWords } from './filler-words.ts';

/** The parts of a typed search that work better as filters, and the remaining words. */
export interface TypedFilters {
  /** The search words, which may be empty, as in `under $50`. */
  words: string;
  filters: Pick<
    DealListInput,
    | 'minPrice'
    | 'maxPrice'
    | 'off'
    | 'dealType'
    | 'evidence'
    | 'status'
    | 'condition'
    | 'category'
    | 'merchant'
    | 'brand'
  >;
}

/** A category, store or brand that a search can name. */
export interface NamedPlace {
  name: string;
  slug: string;
}

const sign = String.raw`(?:\p{Sc}|usd|eur|gbp|dollars?|bucks|euros?|pounds?)`;
const amount = String.raw`(?:${sign}\s?)?(\d[\d.,]*)(?:\s?${sign})?`;
/** `under 12 years` and `over 20 kg` are not prices. */
const noMeasure = String.raw`(?![\d.,]*\s?(?:%|"|″|'|°|(?:years?|yrs?|months?|mo|days?|hours?|h|min|kgs?|g|lbs?|oz|inch(?:es)?|in|ft|cm|mm|m|km|l|ml|liters?|litres?|w|watts?|kw|v|volts?|mah|gb|tb|mb|mp|hz|ghz|mhz|k|p|x|pieces?|pcs|pack|people|persons?)(?![\p{L}\d])))`;
const most = String.raw`(?:under|below|less than|cheaper than|up to|at most|no more than|max(?:imum)?(?: price|(?= ?\p{Sc}))|<=?|≤)`;
const least = String.raw`(?:over|above|more than|at least|min(?:imum)?(?: price|(?= ?\p{Sc}))|>=?|≥)`;

/** `up to 70% off` says nothing about a single deal, and `50% cotton` is not a discount. */
const percentOff = String.raw`(?<!up to )(?<![.,])(?:(?:at least|over|more than|save|>=?|≥) ?)?([1-9]\d?) ?(?:%|percent)(?: or more|\+)? ?(?:off(?!-)|discount|reduction)`;
const halfOff = 'half[- ](?:off|price)';

const signed = String.raw`(?:\p{Sc}\s?(\d[\d.,]*)|(\d[\d.,]*)\s?\p{Sc})`;
/** The price in `$50 gift card` is part of a name, and `$20 off` is a discount. */
const voucher = /\b(?:gift|cards?|vouchers?|off|credit|bill|note|coins?)\b|[-–+]$/i;

/** The patterns of filters, tried in this order. A match must consist of whole words. */
const patterns = [
  { of: `between ${amount}(?: and | ?- ?)${amount}${noMeasure}`, bounds: ['minPrice', 'maxPrice'] },
  {
    of: `${sign}\\s?(\\d[\\d.,]*) ?(?:-|–|to) ?${sign}?\\s?(\\d[\\d.,]*)`,
    bounds: ['minPrice', 'maxPrice'],
  },
  { of: `${most} ?${amount}${noMeasure}`, bounds: ['maxPrice'] },
  { of: `${least} ?${amount}${noMeasure}`, bounds: ['minPrice'] },
  { of: `${signed} or (?:less|under|below|cheaper)`, bounds: ['maxPrice'] },
] as const;

const kinds = [
  {
    of: '(?:(?:certified|manufacturer|factory) )?(?:refurbished|refurb|renewed|reconditioned)',
    filters: { condition: 'refurbished' },
  },
  { of: '(?:in |used )?like[- ]new(?: condition)?', filters: { condition: 'like_new' } },
  { of: '(?:in |used )?very good condition', filters: { condition: 'very_good' } },
  { of: '(?:in |used )?good condition', filters: { condition: 'good' } },
  { of: '(?:in |used )?acceptable condition', filters: { condition: 'acceptable' } },
  {
    of: 'coupons?|coupon codes?|promo codes?|voucher(?:s| codes?)?',
    filters: { dealType: 'coupon' },
  },
  { of: 'expiring(?: soon)?|ending soon|last chance', filters: { dealType: 'expiring' } },
  { of: 'second[- ]?hand|pre-?owned|used', filters: { status: 'used' } },
  { of: 'brand[- ]new', filters: { status: 'new' } },
  { of: 'real lows?(?: only)?', filters: { evidence: 'low' } },
  { of: '(?:(?:price|that) )?(?:fell|dropped) this week', filters: { evidence: 'fell' } },
] as const;

/**
 * Parses `laptop under $500` as `laptop` and a price of at most 500. `places` are the categories,
 * stores and brands that may become filters.
 */
export function readTypedFilters(
  typed: string,
  places: {
    category: readonly NamedPlace[];
    merchant: readonly NamedPlace[];
    brand: readonly string[];
  },
  currency: string,
): TypedFilters {
  let words = typed;
  const filters: TypedFilters['filters'] = {};
  const take = (pattern: string) => {
    const found = new RegExp(String.raw`(?<![\p{L}\d])(?:${pattern})(?![\p{L}\d])`, 'iu').exec(
      words,
    );
    if (!found) return null;
    return {
      parts: found.slice(1),
      remove: () =>
        (words = tidy(words.slice(0, found.index), words.slice(found.index + found[0].length))),
    };
  };
  const discount = take(percentOff) ?? take(halfOff);
  if (discount) {
    filters.off = Number(discount.parts[0] ?? 50);
    discount.remove();
  }
  const [, from = '', to = ''] = /^(\d{1,6})\s?(?:-|–|to)\s?(\d{1,6})$/.exec(words) ?? [];
  const isRange = from !== '' && Number(from) < Number(to);
  const bare = [
    ...(isRange
      ? [{ of: '(\\d+)\\s?(?:-|–|to)\\s?(\\d+)', bounds: ['minPrice', 'maxPrice'] } as const]
      : []),
    ...(voucher.test(words) ? [] : [{ of: signed, bounds: ['maxPrice'] } as const]),
  ];
  for (const { of, bounds } of [...patterns, ...bare]) {
    const found = take(of);
    const amounts = found?.parts.flatMap(
      (part) => parseMoney(part?.replace(/[.,]$/, '') ?? '', currency) || [],
    );
    if (!found || amounts?.length !== bounds.length) continue;
    if (bounds.some((bound) => bound in filters)) continue;
    bounds.forEach((bound, index) => (filters[bound] = amounts[index]));
    found.remove();
  }
  for (const { of, filters: read } of kinds) {
    const found = take(of);
    if (!found || Object.keys(read).some((name) => name in filters)) continue;
    Object.assign(filters, read);
    found.remove();
  }
  const store = placeIn(words, places.merchant, ['from', 'at', 'by', '']);
  if (store?.rest) [filters.merchant, words] = [store.slug, store.rest];
  // Not all `kitchen tools` are in the category Tools, so a category must follow `in`.
  const category = placeIn(words, places.category, ['in']);
  if (category?.rest) [filters.category, words] = [category.slug, category.rest];
  const brands = places.brand.map((name) => ({ name, slug: name }));
  const brand = placeIn(words, brands, ['from', 'by', ''], 2);
  // A brand or store name alone is a search, but `nike coupon` means all of Nike's coupons.
  if (brand && (brand.rest || (!store?.rest && Object.keys(filters).length > 0)))
    [filters.brand, words] = [brand.slug, brand.rest];
  const isFiller = words.split(' ').every((word) => fillerWords.has(fold(word)));
  if (isFiller && Object.keys(filters).length > 0) return { words: '', filters };
  const whole = places.category.find(({ name }) => fold(name) === fold(words));
  // `used books` lists the whole category with the filter. A category's name without filters, even
  // next to a store's, is a search.
  if (whole && !store?.rest && Object.keys(filters).length > 0)
    return { words: '', filters: { ...filters, category: whole.slug } };
  return { words, filters };
}

/**
 * The minimum number of letters in the name of a store or category, since many shorter names are
 * ordinary words.
 */
const shortestName = 3;

/**
 * Finds a scope or brand whose whole name appears in the text, and returns the remaining words as
 * `rest`. `before` lists the words of which one must precede the name.
 */
function placeIn(
  words: string,
  places: readonly NamedPlace[],
  before: readonly string[],
  shortest = shortestName,
) {
  const typed = words.split(' ');
  const folded = typed.map(fold);
  for (const { name, slug } of longestFirst(places, shortest)) {
    const parts = fold(name).split(' ');
    const at = folded.findIndex((_, index) => {
      const isSaid = before.includes('') || before.includes(folded[index - 1] ?? '');
      return isSaid && parts.every((part, place) => folded[index + place] === part);
    });
    if (at < 0) continue;
    const from = before.includes(folded[at - 1] ?? '') ? Math.max(0, at - 1) : at;
    const rest = tidy(typed.slice(0, from).join(' '), typed.slice(at + parts.length).join(' '));
    return { slug, rest };
  }
  return null;
}

function longestFirst(places: readonly NamedPlace[], shortest: number): NamedPlace[] {
  return places
    .filter(({ name }) => name.length >= shortest)
    .toSorted((one, other) => other.name.length - one.name.length);
}

/** Removes small words left over from a filter at either end of the text. */
function tidy(before: string, after: string): string {
  return `${before.replace(/(?:\s|^)(?:for|with|and|at|price)\s*$/i, '')} ${after.replace(/^\s*(?:or less|or more|each|only|for|on)(?=\s|$)/i, '')}`
    .replace(/\s+/g, ' ')
    .trim();
}
