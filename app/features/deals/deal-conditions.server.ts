import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#database/connect.ts';
import { defaultSettings, type PriceClaims } from '#app/features/site-settings/site-settings.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import type { DealFilter, EvidenceFilter } from './deal-list-input.ts';
import type { DealSort } from './deal-sorts.ts';
import { fold } from '#app/platform/fold.ts';
import { reportsThatMark } from './deals-table.ts';

// Written exactly like the partial indexes' conditions, so that the planner recognizes them.

/**
 * Deals that are public and not expired. The flag is up to a minute old, so the time is compared as
 * well.
 */
export const liveScope = sql<boolean>`is_active and not is_expired and (expires_at is null or expires_at > now())`;
export const expiredScope = sql<boolean>`is_active and is_expired`;
/** Deals past their end that are not flagged yet: few rows, each for at most a minute. */
export const lapsedScope = sql<boolean>`is_active and not is_expired and expires_at <= now()`;

/**
 * Returns an SQL condition on `deals d` that enough people reported the deal as expired for staff
 * to check it.
 */
export const isReportedExpired = sql<boolean>`(d.is_active and not d.is_expired and d.id in (
  select deal_id from deal_reports where about = 'over' group by deal_id having count(*) >= ${sql.lit(reportsThatMark)}))`;

/** Returns an SQL condition on `deals d` that a visitor reported the deal as another product. */
export const isReportedMisplaced = sql<boolean>`(d.is_active and not d.is_expired and d.id in (
  select deal_id from deal_reports where about = 'product'))`;

/**
 * The bits of the column `traits`, which stores all yes-or-no filters as one number, the first
 * column of several indexes.
 */
const trait = { used: 1, thirdParty: 2, coupon: 4, featured: 8 };
const allTraits = Array.from({ length: 16 }, (_, traits) => traits);

/** The percentage that cards show, by the site's basis for discounts. */
export const shownPercent: Record<
  PriceClaims,
  'checked_percent' | 'discount_percent' | 'observed_percent'
> = {
  checked: 'checked_percent',
  claimed: 'discount_percent',
  observed: 'observed_percent',
};

/** A filter, the merchants whose deals its list must leave out, and the basis of its percentage. */
export interface DealScope extends DealFilter {
  /**
   * The merchants with hidden prices. Absent if neither the content nor the order of the list
   * reveals a price.
   */
  hidingMerchantIds?: number[];
  /** The basis of the percentage in `off`. */
  priceClaims?: PriceClaims;
}

const sortsByPrice: ReadonlySet<DealSort> = new Set([
  'best',
  'price_low',
  'price_high',
  'unit_price',
] as const);

/** Returns the sort key of a row of `deals` by price per unit; null without net contents. */
export const unitRank = sql<number | null>`unit_rank(net_contents, sale_price)`;

/**
 * Returns the scope of a filter. A list filtered or sorted by price reveals prices, so it leaves
 * out deals with a hidden price. A discount filter uses the percentage that the site's cards show.
 */
export async function scopeOf(db: Db, filter: DealFilter, sort?: DealSort): Promise<DealScope> {
  const { off, minPrice, maxPrice } = filter;
  const isByPrice = [off, minPrice, maxPrice].some((bound) => bound !== undefined);
  if (!isByPrice && !(sort && sortsByPrice.has(sort))) return filter;
  const scope: DealScope = { ...filter };
  const hidingMerchantIds = await listHidingMerchants(db);
  if (hidingMerchantIds.length > 0) scope.hidingMerchantIds = hidingMerchantIds;
  if (off !== undefined) scope.priceClaims = (await readSiteSettings(db)).priceClaims;
  return scope;
}

/**
 * Returns the merchants whose outdated prices are hidden. Usually there are none, so deal lists
 * need no further condition.
 */
async function listHidingMerchants(db: Db): Promise<number[]> {
  const rows = await db
    .selectFrom('merchants')
    .select('id')
    .where('hide_price_after_hours', 'is not', null)
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * Returns an SQL condition on a row of `deals` that its price is shown: the negation of
 * `isPriceHidden`. For merchants without this rule, nothing else is read.
 */
function hasShownPrice(hidingMerchantIds: RawBuilder<number[]>): RawBuilder<boolean> {
  return sql`(merchant_id <> all(${hidingMerchantIds})
    or greatest(price_checked_at, (select k.checked_at from deal_price_checks k where k.deal_id = id))
       >= now() - make_interval(hours => (select m.hide_price_after_hours from merchants m where m.id = merchant_id)))`;
}

/** Returns an SQL condition on deals `d` with their merchants `m` that the price is shown. */
export const isPriceShown = sql<boolean>`(m.hide_price_after_hours is null
  or greatest(d.price_checked_at, (select k.checked_at from deal_price_checks k where k.deal_id = d.id))
     >= now() - make_interval(hours => m.hide_price_after_hours))`;

const evidenceDays = { low: 90, fell: 7 };

/** days; a deal watched for fewer has no low, as with the usual price */
const leastLowDays = 14;

/**
 * Returns an SQL condition on `price_proofs`: in this many days the price was higher at times, but
 * never lower.
 */
export function isEvident(evidence: EvidenceFilter): RawBuilder<boolean> {
  const opens = sql`now() - make_interval(days => ${sql.lit(evidenceDays[evidence])})`;
  const isWatched = sql`and watched_since <= now() - make_interval(days => ${sql.lit(leastLowDays)})`;
  return sql`(higher_until > ${opens} and lower_until <= ${opens} ${evidence === 'low' ? isWatched : sql``})`;
}

/** Returns an SQL condition on `deals` that the merchant allows price history. */
export const hasKeptHistory = sql<boolean>`merchant_id <> all(array(select m.id from merchants m where not m.keep_history))`;

/** Returns an SQL condition on live `deals` that price and log may be shown. */
export const hasComparedPrice = sql<boolean>`(${liveScope} and ${hasKeptHistory}
  and ${hasShownPrice(sql`array(select m.id from merchants m where m.hide_price_after_hours is not null)`)})`;

/**
 * Returns the percentage below the usual price of a row of `deals`: 0 if it is not below, or
 * unknown.
 */
export const percentBelowUsual = sql<number>`coalesce(
  (select p.below_usual from price_proofs p where p.deal_id = id and ${hasKeptHistory}), 0)`;

/** Returns a filter as a condition over `deals`, with bound values. */
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
    parts.push(sql`exists (${proofs}) and ${hasComparedPrice}`);
  }
  // The condition has both bounds, although only live deals are requested. With one bound, the
  // planner's estimate would include all expired deals.
  if (dealType === 'expiring') {
    parts.push(
      sql`not is_expired and expires_at > now() and expires_at <= now() + interval '72 hours'`,
    );
  }
  return sql`(${sql.join(parts, sql` and `)})`;
}

/**
 * Returns the values of `traits` that match the filter's status, seller and deal type, limited to
 * values that occur.
 */
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
