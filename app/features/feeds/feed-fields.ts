/** What a deal takes from a feed, in the words of our own columns; `--map` uses the same words. */
export const feedFields = [
  'external_id',
  'title',
  'description',
  'deal_url',
  'image_url',
  'original_price',
  'sale_price',
  'sale_dates',
  'currency',
  'availability',
  'condition',
  'category',
  'brand',
  'gtin',
  'coupon_code',
  'expires_at',
] as const;
export type FeedField = (typeof feedFields)[number];
export type FeedMapping = Partial<Record<FeedField, string>>;

/** One product as the feed tells it, before any judgement. `problem` means its shape is already wrong. */
export interface FeedRow {
  line: number;
  values: Partial<Record<FeedField, string>>;
  problem?: string;
}

/**
 * The names each field goes by, best first. Google's `price` is the regular price, which makes it our
 * `original_price`; a row without a sale is offered at that price (see `check-feed-row.ts`).
 */
const names: Record<FeedField, string[]> = {
  external_id: [
    'id',
    'external_id',
    'product_id',
    'item_id',
    'offer_id',
    'sku',
    'article_number',
    'guid',
  ],
  title: ['title', 'product_name', 'product_title', 'name', 'item_name'],
  description: [
    'description',
    'product_description',
    'long_description',
    'summary',
    'content',
    'short_description',
  ],
  deal_url: [
    'link',
    'deal_url',
    'product_url',
    'url',
    'product_link',
    'deep_link',
    'deeplink',
    'item_url',
  ],
  image_url: ['image_link', 'image_url', 'main_image', 'image', 'picture', 'photo', 'thumbnail'],
  original_price: [
    'price',
    'original_price',
    'initial_price',
    'regular_price',
    'list_price',
    'old_price',
    'was_price',
    'msrp',
    'rrp',
    'retail_price',
  ],
  sale_price: [
    'sale_price',
    'final_price',
    'current_price',
    'deal_price',
    'special_price',
    'discounted_price',
    'offer_price',
  ],
  sale_dates: ['sale_price_effective_date'],
  currency: ['currency', 'currency_code', 'price_currency'],
  availability: [
    'availability',
    'in_stock',
    'stock_status',
    'is_in_stock',
    'instock',
    'stock',
    'quantity',
  ],
  condition: ['condition', 'item_condition'],
  category: [
    'product_type',
    'category_tree',
    'category_path',
    'root_category',
    'google_product_category',
    'category',
    'category_name',
    'categories',
    'merchant_category',
  ],
  brand: ['brand', 'manufacturer', 'brand_name'],
  gtin: ['gtin', 'ean', 'upc', 'barcode', 'gtin13', 'gtin12'],
  coupon_code: ['coupon_code', 'voucher_code', 'promo_code', 'coupon'],
  expires_at: ['expiration_date', 'expires_at', 'expiry_date', 'end_date', 'valid_until'],
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
 * The table of `names`. A field the operator mapped listens to that name only, and a mapped name
 * serves no other field.
 */
export function fieldSources(mapping: FeedMapping = {}): FieldSources {
  const mapped = new Set(Object.values(mapping).map(plainFieldName));
  const sources = new Map<string, { field: FeedField; rank: number }[]>();
  for (const field of feedFields) {
    const chosen = mapping[field];
    const candidates =
      chosen === undefined
        ? names[field].filter((name) => !mapped.has(name))
        : [plainFieldName(chosen)];
    for (const [rank, name] of candidates.entries()) {
      sources.set(name, [...(sources.get(name) ?? []), { field, rank }]);
    }
  }
  return sources;
}

/** True when a header speaks Google's own vocabulary rather than a shop's. */
export function isGoogleHeader(header: readonly string[]): boolean {
  const present = new Set(header.map(plainFieldName));
  return ['id', 'title', 'link', 'price'].every((name) => present.has(name));
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
