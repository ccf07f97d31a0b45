import { type RawBuilder, sql } from 'kysely';
import type { DealFilter } from './deal-list-input.ts';

// Written the way the partial indexes are, or the planner does not see that they fit.

/** Public and not expired. The flag alone is up to a minute old, so the clock is asked as well. */
export const liveScope = sql<boolean>`is_active and not is_expired and (expires_at is null or expires_at > now())`;
export const expiredScope = sql<boolean>`is_active and is_expired`;
/** Past its time, but not flagged yet: few, and gone within a minute. */
export const lapsedScope = sql<boolean>`is_active and not is_expired and expires_at <= now()`;

/** The bits of the column `traits`, which holds the yes-or-no filters in one number for the indexes to lead with. */
const trait = { used: 1, thirdParty: 2, coupon: 4, featured: 8 };
const allTraits = Array.from({ length: 16 }, (_, traits) => traits);

/** A filter as a condition over `deals`; the values are bound. */
export function conditionOf(filter: DealFilter): RawBuilder<boolean> {
  const parts: RawBuilder<unknown>[] = [sql`true`];
  const traits = matchingTraits(filter);
  if (traits.length < allTraits.length) parts.push(sql`traits = any(${traits}::smallint[])`);
  if (filter.categoryId !== undefined) parts.push(sql`category_id = ${filter.categoryId}`);
  if (filter.merchantId !== undefined) parts.push(sql`merchant_id = ${filter.merchantId}`);
  if (filter.minPrice !== undefined) parts.push(sql`sale_price >= ${filter.minPrice}`);
  if (filter.maxPrice !== undefined) parts.push(sql`sale_price <= ${filter.maxPrice}`);
  // Both ends, though only live deals are asked for: else the planner counts all the expired ones in.
  if (filter.dealType === 'expiring') {
    parts.push(sql`expires_at > now() and expires_at <= now() + interval '72 hours'`);
  }
  return sql`(${sql.join(parts, sql` and `)})`;
}

/** The values of `traits` that pass the filter's status, seller and deal type. */
export function matchingTraits({ status, sellerType, dealType }: DealFilter): number[] {
  let traits = allTraits;
  if (status) traits = traits.filter((bits) => has(bits, trait.used) === (status === 'used'));
  if (sellerType) {
    traits = traits.filter(
      (bits) => has(bits, trait.thirdParty) === (sellerType === 'third_party'),
    );
  }
  if (dealType === 'coupon') traits = traits.filter((bits) => has(bits, trait.coupon));
  if (dealType === 'featured') traits = traits.filter((bits) => has(bits, trait.featured));
  return traits;
}

function has(bits: number, bit: number): boolean {
  return (bits & bit) !== 0;
}
