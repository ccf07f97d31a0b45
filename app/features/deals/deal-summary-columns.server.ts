import { type RawBuilder, sql } from 'kysely';
import type {
  Availability,
  DealCondition,
  DealStatus,
  PriceSource,
  SellerType,
} from '#database/schema/catalog-tables.ts';

/** A deal as lists and cards show it. Prices in cents. */
export interface DealSummary {
  id: number;
  slug: string;
  title: string;
  description: string;
  image_url: string | null;
  sale_price: number;
  original_price: number | null;
  discount_percent: number;
  discount_amount: number | null;
  observed_percent: number;
  low_30_before: number | null;
  price_source: PriceSource;
  price_since: Date;
  price_checked_at: Date;
  coupon_code: string | null;
  expires_at: Date | null;
  is_expired: boolean;
  is_featured: boolean;
  status: DealStatus;
  condition: DealCondition | null;
  seller_type: SellerType;
  availability: Availability;
  created_at: Date;
  /** The host a visitor lands on, without `www.`. */
  outHost: string;
  merchant: {
    id: number;
    name: string;
    slug: string;
    website_url: string | null;
    hide_price_after_hours: number | null;
    show_price_timestamp: boolean;
    price_disclaimer: string | null;
    free_shipping_over: number | null;
  };
  category: { id: number; name: string; slug: string; icon: string };
}

/** Select list over `deals d`, `merchants m`, `categories c`; `asDealSummary` shapes its rows. */
export const dealSummaryColumns: RawBuilder<unknown> = sql`
  d.id, d.slug, d.title, left(d.description, 280) as description, d.image_url, d.sale_price, d.original_price,
  d.discount_percent, d.discount_amount, d.observed_percent, d.low_30_before, d.price_source, d.price_since,
  greatest(d.price_checked_at, (select checked_at from deal_price_checks k where k.deal_id = d.id)) as price_checked_at,
  d.coupon_code, d.expires_at, (d.is_expired or coalesce(d.expires_at <= now(), false)) as is_expired,
  d.is_featured, d.status, d.condition, d.seller_type, d.availability, d.created_at, d.deal_url,
  m.id as merchant_id, m.name as merchant_name, m.slug as merchant_slug, m.website_url, m.hide_price_after_hours,
  m.show_price_timestamp, m.price_disclaimer, m.free_shipping_over,
  c.id as category_id, c.name as category_name, c.slug as category_slug, c.icon as category_icon`;

/** The joins that go with `dealSummaryColumns`. */
export const dealSummaryJoins: RawBuilder<unknown> = sql`
  join merchants m on m.id = d.merchant_id join categories c on c.id = d.category_id`;

export type DealSummaryRow = Omit<DealSummary, 'outHost' | 'merchant' | 'category'> & {
  deal_url: string;
  merchant_id: number;
  merchant_name: string;
  merchant_slug: string;
  website_url: string | null;
  hide_price_after_hours: number | null;
  show_price_timestamp: boolean;
  price_disclaimer: string | null;
  free_shipping_over: number | null;
  category_id: number;
  category_name: string;
  category_slug: string;
  category_icon: string;
};

export function asDealSummary(row: DealSummaryRow): DealSummary {
  return {
    id: row.id,
    slug: row.slug,
    title: row.title,
    description: row.description,
    image_url: row.image_url,
    sale_price: row.sale_price,
    original_price: row.original_price,
    discount_percent: row.discount_percent,
    discount_amount: row.discount_amount,
    observed_percent: row.observed_percent,
    low_30_before: row.low_30_before,
    price_source: row.price_source,
    price_since: row.price_since,
    price_checked_at: row.price_checked_at,
    coupon_code: row.coupon_code,
    expires_at: row.expires_at,
    is_expired: row.is_expired,
    is_featured: row.is_featured,
    status: row.status,
    condition: row.condition,
    seller_type: row.seller_type,
    availability: row.availability,
    created_at: row.created_at,
    outHost: hostOf(row.deal_url),
    merchant: {
      id: row.merchant_id,
      name: row.merchant_name,
      slug: row.merchant_slug,
      website_url: row.website_url,
      hide_price_after_hours: row.hide_price_after_hours,
      show_price_timestamp: row.show_price_timestamp,
      price_disclaimer: row.price_disclaimer,
      free_shipping_over: row.free_shipping_over,
    },
    category: {
      id: row.category_id,
      name: row.category_name,
      slug: row.category_slug,
      icon: row.category_icon,
    },
  };
}

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host.replace(/^www\./, '') : '';
}
