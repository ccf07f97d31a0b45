import type { ColumnFor } from '#app/features/deals/deal-columns.ts';

export type FeedMapping = Partial<Record<FeedField, string>>;

/** One product as the feed tells it, before any judgement. `problem` means its shape is already wrong. */
export interface FeedRow {
  line: number;
  values: Partial<Record<FeedField, string>>;
  problem?: string;
  /** The row in the feed's own words, where the reader was asked to keep them. */
  raw?: Record<string, string>;
}

export const feedFormats = [
  'google-xml',
  'google-tsv',
  'awin',
  'cj',
  'rakuten',
  'impact',
  'json',
  'ndjson',
  'csv',
] as const;
export type FeedFormat = (typeof feedFormats)[number];

/** One after another, in a line that can be read. */
const words = (text: string): string[] => text.split(' ');

/**
 * The names each field goes by, best first. Google's `price` is the regular price, which makes it our
 * `original_price`; a row without a sale is offered at that price (see `check-feed-row.ts`).
 */
const names = {
  external_id: words(
    'id external_id product_id item_id offer_id sku article_number merchant_product_id aw_product_id catalog_item_id unique_merchant_sku guid',
  ),
  title: words('title product_name product_title name item_name'),
  description: words(
    'description product_description long_description summary content short_description',
  ),
  deal_url: words(
    'link deal_url product_url url product_link deep_link deeplink item_url aw_deep_link buyurl merchant_deep_link',
  ),
  image_url: words(
    'image_link image_url main_image image picture photo merchant_image_url aw_image_url imageurl thumbnail',
  ),
  original_price: words(
    'price original_price initial_price regular_price list_price old_price was_price msrp rrp retail_price rrp_price product_price_old',
  ),
  sale_price: words(
    'sale_price final_price current_price deal_price special_price discounted_price offer_price search_price saleprice',
  ),
  sale_dates: words('sale_price_effective_date'),
  currency: words('currency currency_code price_currency'),
  availability: words(
    'availability in_stock stock_status is_in_stock instock stock_availability stock stock_quantity quantity',
  ),
  condition: words('condition item_condition'),
  category: words(
    'product_type category_tree category_path root_category google_product_category category category_name categories merchant_product_category_path merchant_category advertisercategory',
  ),
  brand: words('brand manufacturer brand_name'),
  gtin: words('gtin ean upc barcode gtin13 gtin12 product_gtin isbn'),
  coupon_code: words('coupon_code voucher_code promo_code coupon'),
  expires_at: words('expiration_date expires_at expiry_date end_date valid_until valid_to'),
  group_id: words('item_group_id group_id parent_product_id parent_sku'),
} satisfies Record<string, string[]> & Record<Exclude<ColumnFor<'feed'>, 'status'>, string[]>;

/** What a deal takes from a feed, in the words of our own columns; `--map` uses the same words. */
export type FeedField = keyof typeof names;
export const feedFields = Object.keys(names).filter((name): name is FeedField => name in names);

/**
 * Where a network means something else by a name, or has a better column than the usual one: its tracking link
 * before the merchant's own, a product's name before the title of a book, its present price before the list price.
 */
const namesOf: Partial<Record<FeedFormat, Partial<Record<FeedField, string[]>>>> = {
  awin: {
    external_id: words('merchant_product_id aw_product_id product_id'),
    deal_url: words('aw_deep_link deep_link merchant_deep_link'),
    image_url: words('merchant_image_url large_image aw_image_url image_url merchant_thumb_url'),
    sale_price: words('search_price store_price price'),
    original_price: words('rrp_price product_price_old'),
    category: words('merchant_product_category_path product_type merchant_category category_name'),
    gtin: words('ean product_gtin upc isbn'),
    availability: words('in_stock stock_status stock_quantity'),
    description: words('description product_short_description'),
  },
  cj: {
    external_id: words('sku id'),
    title: words('name title'),
    deal_url: words('buyurl link'),
    image_url: words('imageurl image_link'),
    sale_price: words('saleprice sale_price'),
    original_price: words('price retailprice fromprice'),
    category: words('advertisercategory product_type google_product_category_name'),
    gtin: words('upc gtin isbn'),
    expires_at: words('enddate expiration_date'),
    brand: words('manufacturer brand'),
  },
  impact: {
    external_id: words('catalog_item_id unique_merchant_sku id'),
    title: words('name product_name'),
    deal_url: words('url product_url'),
    brand: words('manufacturer brand'),
    category: words('category original_format_category product_type'),
  },
  rakuten: {
    external_id: words('product_id'),
    title: words('product_name'),
    deal_url: words('product_url'),
    description: words('long_description short_description'),
    sale_price: words('sale_price'),
    original_price: words('retail_price'),
    brand: words('brand manufacturer'),
    gtin: words('upc'),
    category: words('category_path'),
    expires_at: [],
  },
};

/** `Product Name`, `product-name`, `productName` and `g:product name` are one name. */
export function plainFieldName(name: string): string {
  return name
    .trim()
    .replace(/^g:/i, '')
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/g, '');
}

/** Which fields a name may fill, and how good a source it is (0 is the best). */
export type FieldSources = ReadonlyMap<string, { field: FeedField; rank: number }[]>;

/**
 * The table of `names`, as this format uses them. A field the operator mapped listens to that name only, and a
 * mapped name serves no other field.
 */
export function fieldSources(mapping: FeedMapping = {}, format?: FeedFormat): FieldSources {
  const mapped = new Set(Object.values(mapping).map(plainFieldName));
  const own = (format && namesOf[format]) ?? {};
  const sources = new Map<string, { field: FeedField; rank: number }[]>();
  for (const field of feedFields) {
    const chosen = mapping[field];
    const candidates =
      chosen === undefined
        ? (own[field] ?? names[field]).filter((name) => !mapped.has(name))
        : [plainFieldName(chosen)];
    for (const [rank, name] of candidates.entries()) {
      sources.set(name, [...(sources.get(name) ?? []), { field, rank }]);
    }
  }
  return sources;
}

/** Whose table this is, by the columns only they have. */
export function recogniseHeader(header: readonly string[]): FeedFormat {
  const present = new Set(header.map(plainFieldName));
  const has = (...wanted: string[]) => wanted.every((name) => present.has(name));
  if (has('aw_deep_link') || has('aw_product_id')) return 'awin';
  if (has('buyurl') || has('program_name', 'link') || has('programname', 'name')) return 'cj';
  if (has('unique_merchant_sku') || has('catalog_item_id', 'current_price')) return 'impact';
  return has('id', 'title', 'link', 'price') ? 'google-tsv' : 'csv';
}

/** `title=product_name` and its like, as the operator writes them. */
export function parseFeedMapping(
  pairs: readonly string[],
): { ok: true; mapping: FeedMapping } | { ok: false; reason: string } {
  const mapping: FeedMapping = {};
  for (const pair of pairs) {
    const [name = '', ...rest] = pair.split('=');
    const column = rest.join('=').trim();
    const field = feedFields.find((known) => known === name.trim());
    if (!field) {
      return {
        ok: false,
        reason: `"${name}" is no field; the fields are ${feedFields.join(', ')}`,
      };
    }
    if (plainFieldName(column) === '') {
      return { ok: false, reason: `"${pair}" names no column; write ${field}=COLUMN` };
    }
    mapping[field] = column;
  }
  return { ok: true, mapping };
}
