import { type RawBuilder, sql } from 'kysely';
import type { DealFilter } from './deal-list-input.ts';

/** Public and not expired. The flag alone is up to a minute old, so the clock is asked as well. */
export const liveScope = sql<boolean>`is_active and not is_expired and (expires_at is null or expires_at > now())`;
export const expiredScope = sql<boolean>`is_active and is_expired`;

/** A filter as a condition over `deals`; the values are bound. */
export function conditionOf(filter: DealFilter): RawBuilder<boolean> {
  const parts: RawBuilder<boolean>[] = [sql<boolean>`true`];
  if (filter.categoryId !== undefined) parts.push(sql`category_id = ${filter.categoryId}`);
  if (filter.merchantId !== undefined) parts.push(sql`merchant_id = ${filter.merchantId}`);
  // Spelt out, so that the partial indexes on rare values can serve.
  if (filter.status === 'new') parts.push(sql`status = 'new'`);
  if (filter.status === 'used') parts.push(sql`status = 'used'`);
  if (filter.sellerType) parts.push(sql`seller_type = ${filter.sellerType}`);
  if (filter.minPrice !== undefined) parts.push(sql`sale_price >= ${filter.minPrice}`);
  if (filter.maxPrice !== undefined) parts.push(sql`sale_price <= ${filter.maxPrice}`);
  if (filter.dealType === 'featured') parts.push(sql`is_featured`);
  if (filter.dealType === 'coupon') parts.push(sql`coupon_code is not null`);
  if (filter.dealType === 'expiring') parts.push(sql`expires_at <= now() + interval '72 hours'`);
  return sql`${sql.join(parts, sql` and `)}`;
}
