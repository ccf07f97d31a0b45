import type { WxrItem } from './wxr-item.ts';

/** The custom fields in which a plugin or theme stores an offer. */
export interface OfferFields {
  name: string;
  /** Post types that have these fields. */
  types: readonly string[];
  /** An item of such a type is an offer if it has one of these fields. */
  shownBy: readonly string[];
  title?: string;
  link: readonly string[];
  price?: readonly string[];
  /** The price that the theme strikes through, which is only a claim. */
  oldPrice?: readonly string[];
  currency?: string;
  code?: string;
  ends?: string;
  endTime?: string;
  /** A field that disables the end date, and the value that does so. */
  neverEnds?: readonly [field: string, value: string];
  /** A field that is `1` for an expired offer, regardless of its date. */
  isExpired?: string;
  text?: string;
  picture?: string;
  stock?: string;
  stores: readonly string[];
  categories: readonly string[];
  /** Whether the day or the month comes first in dates such as `07-04-2015`. */
  dashed?: 'day' | 'month';
  decimalMark?: 'point';
}

/** The fields by plugin. The first that fits is used. */
export const offerPlugins: readonly OfferFields[] = [
  {
    // The theme's offer panel and its REST response use these field names.
    name: 'ReHub',
    types: ['post'],
    shownBy: ['rehub_offer_product_url', 'rehub_offer_product_coupon'],
    title: 'rehub_offer_name',
    link: ['rehub_offer_product_url'],
    price: ['rehub_offer_product_price'],
    oldPrice: ['rehub_offer_product_price_old'],
    currency: 'rehub_main_product_currency',
    code: 'rehub_offer_product_coupon',
    ends: 'rehub_offer_coupon_date',
    isExpired: 're_post_expired',
    text: 'rehub_offer_product_desc',
    picture: 'rehub_offer_product_thumb',
    stores: ['dealstore'],
    categories: ['category'],
  },
  {
    // WooCommerce stores prices with a decimal point, and links of external products in
    // `_product_url`.
    name: 'WooCommerce',
    types: ['product'],
    shownBy: ['_product_url'],
    link: ['_product_url'],
    price: ['_price', '_sale_price', '_regular_price'],
    oldPrice: ['_regular_price'],
    code: 'rehub_woo_coupon_code',
    ends: 'rehub_woo_coupon_date',
    isExpired: 're_post_expired',
    stock: '_stock_status',
    stores: ['store', 'dealstore'],
    categories: ['product_cat'],
    decimalMark: 'point',
  },
  {
    // Clipper's own CSV importer maps these fields; releases before 2015 wrote `07-04-2015`.
    name: 'Clipper',
    types: ['coupon'],
    shownBy: ['clpr_coupon_code', 'clpr_coupon_aff_url', 'clpr_id'],
    link: ['clpr_coupon_aff_url'],
    code: 'clpr_coupon_code',
    ends: 'clpr_expire_date',
    stores: ['stores'],
    categories: ['coupon_category'],
    dashed: 'month',
  },
  {
    // Couponis stores end dates in a separate table; importers also write the field `expire`.
    name: 'Couponis',
    types: ['coupon'],
    shownBy: ['coupon_code', 'coupon_affiliate', 'coupon_url', 'coupon_link', 'coupon_printable'],
    link: ['coupon_affiliate', 'coupon_url', 'coupon_link'],
    code: 'coupon_code',
    ends: 'expire',
    stores: ['coupon-store'],
    categories: ['coupon-category'],
  },
  {
    // WP Coupons and Deals writes dates as seconds since 1970 or with the day first.
    name: 'WP Coupons and Deals',
    types: ['wpcd_coupons'],
    shownBy: ['coupon_details_coupon-type', 'coupon_details_link'],
    link: ['coupon_details_link'],
    code: 'coupon_details_coupon-code-text',
    ends: 'coupon_details_expire-date',
    endTime: 'coupon_details_expire-time',
    neverEnds: ['coupon_details_never-expire-check', 'on'],
    text: 'coupon_details_description',
    stores: ['wpcd_coupon_vendor'],
    categories: ['wpcd_coupon_category'],
    dashed: 'day',
  },
];

/** Post types of cloaked links, and the fields with their targets. */
const linkTargets: Readonly<Record<string, string>> = {
  thirstylink: '_ta_destination_url',
  // Pretty Links stores targets in a separate table, which an export does not contain.
  'pretty-link': 'url',
};

const known: ReadonlySet<string | undefined> = new Set([
  ...Object.values(linkTargets),
  ...offerPlugins.flatMap((plugin) => [
    ...plugin.shownBy,
    ...plugin.link,
    ...(plugin.price ?? []),
    ...(plugin.oldPrice ?? []),
    plugin.title,
    plugin.currency,
    plugin.code,
    plugin.ends,
    plugin.endTime,
    plugin.text,
    plugin.neverEnds?.[0],
    plugin.isExpired,
    plugin.picture,
    plugin.stock,
  ]),
]);

/** Whether a custom field belongs to an offer or a cloaked link. */
export function isOfferField(name: string): boolean {
  return known.has(name);
}

/** Returns the plugin whose offer this item is, or null. */
export function offerPluginOf({ type, fields }: WxrItem): OfferFields | null {
  return (
    offerPlugins.find(
      ({ types, shownBy }) =>
        types.includes(type) && shownBy.some((name) => (fields.get(name) ?? '') !== ''),
    ) ?? null
  );
}

/**
 * Returns the target of a cloaked link, which is empty if the export lacks it, or null for other
 * items.
 */
export function linkTargetOf({ type, fields }: WxrItem): string | null {
  const field = linkTargets[type];
  // ThirstyAffiliates used to store `&amp;` in URLs.
  return field === undefined ? null : (fields.get(field) ?? '').replaceAll('&amp;', '&').trim();
}
