import { type RawBuilder, type Selectable, sql } from 'kysely';
import { pickFields } from '#app/platform/pick-fields.ts';
import type { Database } from '#database/schema.ts';
import { type ColumnFor, columnsFor, type DealColumns } from './deal-columns.ts';
import { landingHost } from './landing-host.ts';

type Own = DealColumns<ColumnFor<'listed' | 'judged'>>;

/** The rules of the merchant's program for showing prices. */
const programmeColumns = [
  'website_url',
  'hide_price_after_hours',
  'show_price_timestamp',
  'price_disclaimer',
  'free_shipping_over',
  'standard_shipping',
] as const;
type Programme = Pick<Selectable<Database['merchants']>, (typeof programmeColumns)[number]>;

/** A deal as lists and cards show it. Prices are in minor units. */
export interface DealSummary extends Own {
  /** The host where a visitor lands, without `www.`. Empty if only the network knows it. */
  outHost: string;
  /** The URL of the shown picture, which is our copy once there is one. */
  picture: string | null;
  /** Whether `noteShownPictures` must record the picture. */
  isPictureNews: boolean;
  /** The product that the deal is an offer of, if any. */
  product_id: number | null;
  merchant: Programme & { id: number; name: string; slug: string };
  category: { id: number; name: string; slug: string; icon: string };
}

const ownColumns = columnsFor('listed', 'judged');

/** SQL of values that are not plain columns. */
const ownReading: Partial<Record<keyof Own, string>> = {
  description: 'left(d.description, 280)',
  price_checked_at:
    'greatest(d.price_checked_at, (select checked_at from deal_price_checks k where k.deal_id = d.id))',
  is_expired: '(d.is_expired or coalesce(d.expires_at <= now(), false))',
};

/**
 * The select list over `deals d`, `merchants m`, `categories c`. `asDealSummary` converts its rows.
 * Every page needs this list, so its text is constant and prepared once.
 */
export const dealSummaryColumns: RawBuilder<unknown> = sql.raw(`
  ${ownColumns
    .map((name) => `${ownReading[name] ?? `d.${name}`} as ${name}`)
    .join(', ')}, d.product_id, d.deal_url, shown_picture(d.image_url, m.keeps_pictures) as picture,
  is_picture_news(d.image_url, m.keeps_pictures) as is_picture_news, ${programmeColumns.map((name) => `m.${name}`).join(', ')},
  m.id as merchant_id, m.name as merchant_name, m.slug as merchant_slug,
  c.id as category_id, c.name as category_name, c.slug as category_slug, c.icon as category_icon`);

/** The joins for `dealSummaryColumns`. */
export const dealSummaryJoins: RawBuilder<unknown> = sql`
  join merchants m on m.id = d.merchant_id join categories c on c.id = d.category_id`;

export interface DealSummaryRow extends Own, Programme {
  product_id: number | null;
  deal_url: string;
  picture: string | null;
  is_picture_news: boolean;
  merchant_id: number;
  merchant_name: string;
  merchant_slug: string;
  category_id: number;
  category_name: string;
  category_slug: string;
  category_icon: string;
}

export function asDealSummary(row: DealSummaryRow): DealSummary {
  return {
    ...pickFields(row, ownColumns),
    outHost: landingHost(row.deal_url, row.website_url),
    picture: row.picture,
    isPictureNews: row.is_picture_news,
    product_id: row.product_id,
    merchant: {
      ...pickFields(row, programmeColumns),
      id: row.merchant_id,
      name: row.merchant_name,
      slug: row.merchant_slug,
    },
    category: {
      id: row.category_id,
      name: row.category_name,
      slug: row.category_slug,
      icon: row.category_icon,
    },
  };
}
