import type { ColumnFor } from '#app/features/deals/deal-columns.ts';
import fieldNames from './feed-field-names.json' with { type: 'json' };

/**
 * The names each field goes by, best first. Google's `price` is the regular price, which makes it our
 * `original_price`; a row without a sale is offered at that price (see `check-feed-row.ts`).
 */
const names = fieldNames satisfies Record<Exclude<ColumnFor<'feed'>, 'status'>, string[]>;

/** What a deal takes from a feed, in the words of our own columns; `--map` uses the same words. */
export type FeedField = keyof typeof names;
export const feedFields = Object.keys(names).filter((name): name is FeedField => name in names);
/** Characters of a cell that are read; no reader of a field needs more. */
const longestCells: Record<FeedField, number> = {
  availability: 100,
  brand: 1_000,
  category: 2_000,
  condition: 100,
  coupon_code: 500,
  currency: 100,
  deal_url: 5_000,
  description: 100_000,
  expires_at: 200,
  external_id: 5_000,
  group_id: 5_000,
  gtin: 1_000,
  image_url: 50_000,
  original_price: 100,
  sale_dates: 200,
  sale_price: 100,
  title: 5_000,
};

/** Returns the text of a cell, cut with an ellipsis where it is longer than its field may be: a cut price is no price. */
export function cutCell(field: FeedField, text: string): string {
  const longest = longestCells[field];
  return text.length <= longest ? text : `${text.slice(0, longest)}…`;
}

/** The column of a field. Several, a line each, are tried in their order; `{name}` puts a column into a text. */
export type FeedMapping = Partial<Record<FeedField, string>>;

/** The name of a file of `mappings/`, or `auto` where it is to be found. */
export type FeedFormat = string;

/** One product as the feed tells it, before any judgement. `problem` means its shape is already wrong. */
export interface FeedRow {
  line: number;
  values: Partial<Record<FeedField, string>>;
  problem?: string;
  /** The row in the feed's own words, where the reader was asked to keep them. */
  raw?: Record<string, string>;
}

/** `Product Name`, `product-name`, `productName` and `g:product name` are one name; accents make no other one. */
export function plainFieldName(name: string): string {
  return name
    .trim()
    .replace(/^g:/i, '')
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_|_$/g, '');
}

/** Which fields a name may fill, and how good a source it is (0 is the best). A text with `{name}` in it is no name. */
export type FieldSources = ReadonlyMap<string, { field: FeedField; rank: number }[]>;

/** The names that a field of a mapping listens to. */
export function mappedNames(column: string): string[] {
  return column
    .split(/\r?\n/)
    .map((name) => (name.includes('{') ? name.trim() : plainFieldName(name)))
    .filter(Boolean);
}

/** The columns that a text with `{name}` in it is made of; `{shop}` is where the shop is. */
export function placesOf(template: string): string[] {
  return [...template.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => plainFieldName(name ?? ''));
}

/**
 * The names of all fields, as a format uses them that has `own` names for some. A field the operator mapped listens to
 * that name only, and a mapped name serves no other field.
 */
export function fieldSources(
  mapping: FeedMapping = {},
  own: Partial<Record<FeedField, readonly string[]>> = {},
): FieldSources {
  const mapped = new Set(Object.values(mapping).flatMap(mappedNames));
  const all = feedFields.flatMap((field) => {
    const known = own[field] ?? names[field];
    const column = mapping[field];
    const candidates =
      column === undefined ? known.filter((name) => !mapped.has(name)) : mappedNames(column);
    return candidates.map((name, rank) => ({ name, field, rank }));
  });
  return Map.groupBy(all, ({ name }) => name);
}

const plainPrices = new Set(
  `price preis prix precio prezzo prijs preco cena pris hinta цена price_vat price_incl_tax product_price
   prix_ttc price_ttc price_incl_vat price_inc_vat price_including_tax price_including_vat price_with_tax price_gross gross_price brutto_preis
   bruttopreis preis_brutto preis_inkl_mwst precio_con_iva prezzo_ivato prijs_incl_btw cena_brutto cena_s_dph unit_price_incl_tax`.split(
    /\s+/,
  ),
);

/** A column that says "price" and no more: the regular one, or beside an old price the present one. */
export function isPlainPrice(name: string): boolean {
  return plainPrices.has(name);
}
