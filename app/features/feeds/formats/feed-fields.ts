import type { ColumnFor } from '#app/features/deals/deal-columns.ts';
import fieldNames from './feed-field-names.json' with { type: 'json' };

/**
 * The names for each field, best first. Google's `price` is the regular price, which is our
 * `original_price`; a row without a sale is offered at that price (see `check-feed-row.ts`).
 */
const names = fieldNames satisfies Record<
  Exclude<ColumnFor<'feed'>, 'status' | 'item_group_id'>,
  string[]
>;

/** The fields that a deal takes from a feed, by their names in our columns and in `--map`. */
export type FeedField = keyof typeof names;
export const feedFields = Object.keys(names).filter((name): name is FeedField => name in names);
/** The number of characters read from a cell; no field needs more. */
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
  mpn: 1_000,
  net_contents: 100,
  original_price: 100,
  sale_dates: 200,
  sale_price: 100,
  shipping_cost: 500,
  title: 5_000,
  unit_base: 100,
};

/**
 * Returns the text of a cell. Text longer than the field allows is cut with an ellipsis. A
 * truncated price is therefore not parsed as a price.
 */
export function cutCell(field: FeedField, text: string): string {
  const longest = longestCells[field];
  return text.length <= longest ? text : `${text.slice(0, longest)}…`;
}

/**
 * The columns by field. If there are several, one per line, they are tried in order. `{name}`
 * inserts a column into a text.
 */
export type FeedMapping = Partial<Record<FeedField, string>>;

/** The name of a file in `mappings/`, or `auto` to detect it. */
export type FeedFormat = string;

/**
 * A product as described by the feed, before validation. `problem` means that its syntax is already
 * invalid.
 */
export interface FeedRow {
  line: number;
  values: Partial<Record<FeedField, string>>;
  problem?: string;
  /**
   * Prices that come from an object with an amount and a currency, where `1999` may mean `19.99`.
   */
  amounts?: readonly FeedField[];
  /** Doubts about the row's syntax, for staff. */
  notes?: string[];
  /** The unchanged row, if requested. */
  raw?: Record<string, string>;
}

/**
 * Treats `Product Name`, `product-name`, `productName` and `g:product name` as one name, with or
 * without accents.
 */
export function plainFieldName(name: string): string {
  return name
    .trim()
    .replace(/^g:/i, '')
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_|_$/g, '');
}

/**
 * The fields that a column may fill, with the column's rank as their source (0 is the best).
 * Templates such as `{name}` are not included.
 */
export type FieldSources = ReadonlyMap<string, FieldSource[]>;
interface FieldSource {
  field: FeedField;
  rank: number;
  /**
   * Whether the column was chosen for the field, by the user or in the format's own list (best
   * first).
   */
  isChosen?: boolean;
  isOwn?: boolean;
}

/** Returns the column names used by a field of a mapping. */
export function mappedNames(column: string): string[] {
  return column
    .split(/\r?\n/)
    .map((name) => (name.includes('{') ? name.trim() : plainFieldName(name)))
    .filter(Boolean);
}

/** Returns the columns in a template such as `{name}`; `{shop}` is the shop's URL. */
export function placesOf(template: string): string[] {
  return [...template.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => plainFieldName(name ?? ''));
}

/**
 * Returns the names of all fields for a format that has some names of its `own`. A field mapped by
 * the operator uses that name only, and a mapped name fills no other field.
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
    const isChosen = column !== undefined;
    const isOwn = own[field] !== undefined;
    const facts = { field, ...(isChosen && { isChosen }), ...(isOwn && { isOwn }) };
    return candidates.map((name, rank) => ({ name, rank, ...facts }));
  });
  return Map.groupBy(all, ({ name }) => name);
}

const plainPrices = new Set(
  `price preis prix precio prezzo prijs preco cena pris hinta цена price_vat price_incl_tax product_price
   prix_ttc price_ttc price_incl_vat price_inc_vat price_including_tax price_including_vat price_with_tax price_gross gross_price brutto_preis
   bruttopreis preis_brutto preis_inkl_mwst precio_con_iva prezzo_ivato prijs_incl_btw cena_brutto cena_s_dph unit_price_incl_tax
   السعر سعر سعر_المنتج מחיר τιμη τιμη_με_φπα 価格 税込価格 販売価格 가격 판매가격 판매가 价格 價格 售价 售價
   fiyat fiyatı fiyati satıs_fiyatı satis_fiyati kdv_dahil_fiyat ar brutto_ar pret pret_cu_tva hinta_sis_alv verollinen_hinta ціна`.split(
    /\s+/,
  ),
);

/** Whether a field is the current or old price. */
export function isPriceField(field: FeedField): boolean {
  return field === 'sale_price' || field === 'original_price';
}

/**
 * Whether a column is named just "price". Next to an old price, such a column is the current price;
 * otherwise, it is the regular one.
 */
export function isPlainPrice(name: string): boolean {
  return plainPrices.has(name);
}
