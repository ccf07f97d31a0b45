import { sql } from 'kysely';
import type { Db } from '#database/connect.ts';
import type { DealStatus, SellerType } from '#database/schema/catalog-tables.ts';
import {
  conditionOf,
  type DealScope,
  liveScope,
  matchingTraits,
  scopeOf,
} from './deal-conditions.server.ts';
import type { DealFilter, DealSort, DealTypeFilter } from './deal-list-input.ts';

/** How many live deals an option of the filter bar would leave; `isCapped`: at least that many. */
export interface FacetCount {
  count: number;
  isCapped: boolean;
}

export interface DealFacets {
  status: Record<DealStatus, FacetCount>;
  sellerType: Record<SellerType, FacetCount>;
  dealType: Record<DealTypeFilter, FacetCount>;
}

/** Nobody chooses by the difference between 250 and 250,000, and counting so far costs the same on any shop. */
const mostCounted = 250;

/** So many deals that end soon are counted one by one; of more, each combination is probed. */
const mostGathered = 4_000;

/**
 * Counts what each option of the filter bar leads to, the other filters staying as they are: the sixteen
 * combinations of traits each up to `mostCounted`, and the same for deals that end soon. The list's order belongs to
 * it, since lists by price leave out hidden prices.
 */
export async function countDealFacets(
  db: Db,
  filter: DealFilter,
  sort?: DealSort,
): Promise<DealFacets> {
  const scope = await scopeOf(db, filter, sort);
  const { categoryId, merchantId, minPrice, maxPrice, hidingMerchantIds } = scope;
  const place: DealScope = { categoryId, merchantId, minPrice, maxPrice };
  if (hidingMerchantIds) place.hidingMerchantIds = hidingMerchantIds;
  const all = await probeTraits(db, place);
  const expiring = await countExpiring(db, place);
  const inForce = filter.dealType === 'expiring' ? expiring : all;
  const count = (option: Partial<DealFilter>, counts = inForce) =>
    sumOf(counts, matchingTraits({ ...filter, ...option }));
  return {
    status: { new: count({ status: 'new' }), used: count({ status: 'used' }) },
    sellerType: {
      amazon: count({ sellerType: 'amazon' }),
      third_party: count({ sellerType: 'third_party' }),
    },
    dealType: {
      featured: count({ dealType: 'featured' }, all),
      coupon: count({ dealType: 'coupon' }, all),
      expiring: count({ dealType: 'expiring' }, expiring),
    },
  };
}

type TraitCounts = Map<number, number>;

async function probeTraits(db: Db, place: DealScope): Promise<TraitCounts> {
  const { rows } = await sql<{ traits: number; count: number }>`
    select wanted.traits, probe.count
      from generate_series(0, 15) wanted (traits),
           lateral (select count(*) from (
             select from deals
              where deals.traits = wanted.traits::smallint and ${liveScope} and ${conditionOf(place)}
              limit ${mostCounted}) found) probe
     where probe.count > 0`.execute(db);
  return new Map(rows.map((row) => [row.traits, row.count]));
}

/** Mostly few, and then a probe for each combination would look through all that do not end soon. */
async function countExpiring(db: Db, place: DealScope): Promise<TraitCounts> {
  const expiring: DealScope = { ...place, dealType: 'expiring' };
  const { rows } = await sql<{ traits: number; count: number }>`
    select traits, count(*) from (
      select traits from deals where ${liveScope} and ${conditionOf(expiring)} limit ${mostGathered}) found
     group by traits`.execute(db);
  const counts = new Map(rows.map((row) => [row.traits, row.count]));
  const total = rows.reduce((sum, row) => sum + row.count, 0);
  return total < mostGathered ? counts : probeTraits(db, expiring);
}

function sumOf(counts: TraitCounts, traits: number[]): FacetCount {
  const parts = traits.map((one) => counts.get(one) ?? 0);
  return {
    count: parts.reduce((sum, part) => sum + part, 0),
    isCapped: parts.some((part) => part >= mostCounted),
  };
}
