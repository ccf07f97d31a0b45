import type { DealSummary } from './deal-list-queries.server.ts';

/**
 * The deal fields that a card shows, and no more. Lists are sent to the browser twice, as page and
 * as data.
 */
export const cardFields = [
  'id',
  'slug',
  'title',
  'description',
  'picture',
  'coupon_code',
  'expires_at',
  'is_expired',
  'is_featured',
  'status',
  'condition',
  'seller_type',
  'outHost',
] as const;

export type CardDeal = Pick<DealSummary, (typeof cardFields)[number]> & {
  merchantName: string;
  /** The link to the offers of its product, if several stores have it. */
  stores?: { slug: string; text: string };
};
