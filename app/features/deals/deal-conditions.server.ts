import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#database/connect.ts';
import { defaultSettings, type PriceClaims } from '#app/features/site-settings/site-settings.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import type { DealFilter, EvidenceFilter } from './deal-list-input.ts';
import type { DealSort } from './deal-sorts.ts';
import { fold } from '#app/platform/fold.ts';
import { reportsThatMark } from './deals-table.ts';

// Written the way the partial indexes are, or the planner does not see that they fit.

/** Public and not expired. The flag alone is up to a minute old, so the clock is asked as well. */
export const liveScope = sql<boolean>`is_active and not is_expired and (expires_at is null or expires_at > now())`;
export const expiredScope = sql<boolean>`is_active and is_expired`;
/** Past its time, but not flagged yet: few, and gone within a minute. */
export const lapsedScope = sql<boolean>`is_active and not is_expired and expires_at <= now()`;

/** Of a row of `deals d`: so many people reported it over that somebody must look. */
export const isReportedOver = sql<boolean>`(d.is_active and not d.is_expired and d.id in (
  select deal_id from deal_reports where about = 'over' group by deal_id having count(*) >= ${sql.lit(reportsThatMark)}))`;

/** The bits of the column `traits`, which holds the yes-or-no filters in one number for the indexes to lead with. */
const trait = { used: 1, thirdParty: 2, coupon: 4, featured: 8 };
const allTraits = Array.from({ length: 16 }, (_, traits) => traits);

/** The percent that cards show, by what the site computes discounts from. */
export const shownPercent: Record<
  PriceClaims,
  'checked_percent' | 'discount_percent' | 'observed_percent'
> = {
  checked: 'checked_percent',
  claimed: 'discount_percent',
  observed: 'observed_percent',
};

/** A filter, whose hidden prices its list leaves out, and what its percent are counted of. */
export interface DealScope extends DealFilter {
  /** Absent where no price is told by who is in the list, and in what order. */
  hidingMerchantIds?: number[];
  /** Which percent `off` is about. */
  priceClaims?: PriceClaims;
}

/**
 * A list narrowed or ordered by price reveals the price of each deal in it, so it leaves out those whose price is
 * hidden (P35d). One narrowed by discount counts the percent that the site's cards announce.
 */
export async function scopeOf(db: Db, filter: DealFilter, sort?: DealSort): Promise<DealScope> {
  const { off, minPrice, maxPrice } = filter;
  const isByPrice = [off, minPrice, maxPrice].some((bound) => bound !== undefined);
  if (!isByPrice && sort !== 'best' && sort !== 'price_low' && sort !== 'price_high') return filter;
  const scope: DealScope = { ...filter };
  const hidingMerchantIds = await listHidingMerchants(db);
  if (hidingMerchantIds.length > 0) scope.hidingMerchantIds = hidingMerchantIds;
  if (off !== undefined) scope.priceClaims = (await readSiteSettings(db)).priceClaims;
  return scope;
}

/** Mostly none: then nothing changes for any list. */
async function listHidingMerchants(db: Db): Promise<number[]> {
  const rows = await db
    .selectFrom('merchants')
    .select('id')
    .where('hide_price_after_hours', 'is not', null)
    .execute();
  return rows.map(({ id }) => id);
}

/** Says of a row of `deals` what `isPriceHidden` denies. Of the other merchants' deals nothing is looked up. */
function hasShownPrice(hidingMerchantIds: RawBuilder<number[]>): RawBuilder<boolean> {
  return sql`(merchant_id <> all(${hidingMerchantIds})
    or greatest(price_checked_at, (select k.checked_at from deal_price_checks k where k.deal_id = id))
       >= now() - make_interval(hours => (select m.hide_price_after_hours from merchants m where m.id = merchant_id)))`;
}

/** The same of deals `d` that are read with their merchants `m`. */
export const isPriceShown = sql<boolean>`(m.hide_price_after_hours is null
  or greatest(d.price_checked_at, (select k.checked_at from deal_price_checks k where k.deal_id = d.id))
     >= now() - make_interval(hours => m.hide_price_after_hours))`;

const evidenceDays = { low: 90, fell: 7 };

/** Of a deal that was watched for fewer days no price is called a low: as many as a usual price needs. */
const leastLowDays = 14;

/**
 * Of a row of `price_proofs`: in so many days the price was higher and never lower, as `price_standing` wrote down with it.
 */
export function isEvident(evidence: EvidenceFilter): RawBuilder<boolean> {
  const opens = sql`now() - make_interval(days => ${sql.lit(evidenceDays[evidence])})`;
  const isWatched = sql`and watched_since <= now() - make_interval(days => ${sql.lit(leastLowDays)})`;
  return sql`(higher_until > ${opens} and lower_until <= ${opens} ${evidence === 'low' ? isWatched : sql``})`;
}

/** Of a row of `deals`: nothing is told of a log that is no longer kept (P35d). */
export const hasKeptHistory = sql<boolean>`merchant_id <> all(array(select m.id from merchants m where not m.keep_history))`;

/** Of a live row of `deals`: its log may be told of, and its price. */
export const hasToldPrice = sql<boolean>`(${liveScope} and ${hasKeptHistory}
  and ${hasShownPrice(sql`array(select m.id from merchants m where m.hide_price_after_hours is not null)`)})`;

/** Percent below the usual price of a row of `deals`; 0 where it is not below, or not known. */
export const percentBelowUsual = sql<number>`coalesce(
  (select p.below_usual from price_proofs p where p.deal_id = id and ${hasKeptHistory}), 0)`;

/** A filter as a condition over `deals`; the values are bound. */
export function conditionOf(filter: DealScope): RawBuilder<boolean> {
  const { status, condition, sellerType, dealType, evidence, brand, off, ...rest } = filter;
  const { categoryId, merchantId, minPrice, maxPrice, hidingMerchantIds, ...others } = rest;
  const { priceClaims = defaultSettings.priceClaims, ...forgotten } = others;
  // Fails to compile if a filter has no condition below.
  forgotten satisfies Record<string, never>;
  const parts: RawBuilder<unknown>[] = [sql`true`];
  const traits = matchingTraits({ status, condition, sellerType, dealType });
  if (traits.length < allTraits.length) parts.push(sql`traits = any(${traits}::smallint[])`);
  if (categoryId !== undefined) parts.push(sql`category_id = ${categoryId}`);
  if (merchantId !== undefined) parts.push(sql`merchant_id = ${merchantId}`);
  if (condition) parts.push(sql`condition = ${condition}`);
  if (brand !== undefined)
    parts.push(sql`id in (select deal_id from deal_texts where brand = ${fold(brand)})`);
  if (off !== undefined) {
    parts.push(sql`${sql.ref(shownPercent[priceClaims])} >= ${off}`);
  }
  if (minPrice !== undefined) parts.push(sql`sale_price >= ${minPrice}`);
  if (maxPrice !== undefined) parts.push(sql`sale_price <= ${maxPrice}`);
  if (hidingMerchantIds) parts.push(hasShownPrice(sql`${hidingMerchantIds}::bigint[]`));
  if (evidence) {
    const proofs = sql`select from price_proofs where deal_id = id and ${isEvident(evidence)}`;
    parts.push(sql`exists (${proofs}) and ${hasToldPrice}`);
  }
  // Both ends, though only live deals are asked for: else the planner counts all the expired ones in.
  if (dealType === 'expiring') {
    parts.push(
      sql`not is_expired and expires_at > now() and expires_at <= now() + interval '72 hours'`,
    );
  }
  return sql`(${sql.join(parts, sql` and `)})`;
}

/** The values of `traits` that pass the filter's status, seller and deal type. Only what is used is in a condition. */
export function matchingTraits({ status, condition, sellerType, dealType }: DealFilter): number[] {
  let traits = allTraits;
  if (status) traits = traits.filter((bits) => has(bits, trait.used) === (status === 'used'));
  if (condition) traits = traits.filter((bits) => has(bits, trait.used));
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
