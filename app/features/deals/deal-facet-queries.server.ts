import { sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { type AppServices, cacheValue } from '#app/platform/app-context.server.ts';
import type { DealStatus, SellerType } from '#database/schema/catalog-tables.ts';
import {
  conditionOf,
  type DealScope,
  liveScope,
  matchingTraits,
  scopeOf,
  unitRank,
} from './deal-conditions.server.ts';
import type { DealFilter, DealTypeFilter } from './deal-list-input.ts';
import type { DealSort } from './deal-sorts.ts';
import { placeTags } from './page-tags.ts';

/** The number of live deals that a filter option would leave. `isCapped`: at least that many. */
export interface FacetCount {
  count: number;
  isCapped: boolean;
}

export interface DealFacets {
  status: Record<DealStatus, FacetCount>;
  sellerType: Record<SellerType, FacetCount>;
  dealType: Record<DealTypeFilter, FacetCount>;
  /** Whether any live deal of the site has known contents, so that prices per unit can be sorted. */
  hasUnitPrices: boolean;
  /** The categories and stores that narrow a search, by name, at most `mostPlaces` each. */
  category?: PlaceFacet[];
  merchant?: PlaceFacet[];
}

/** A category or store that has some of the deals, or is the current choice. */
export interface PlaceFacet extends FacetCount {
  slug: string;
  name: string;
}

/**
 * deals; higher counts do not help visitors choose, and the cost stays the same for any catalog
 * size
 */
const mostCounted = 250;

/** options; a longer select is unusable, so list only those with the most deals */
const mostPlaces = 25;

/** deals that end soon, counted by their index alone; higher counts are minimums */
const mostEnding = 1_000;
/**
 * deals with evidence, counted one by one; if there are more, combinations of traits are queried
 * instead
 */
const mostEvident = 4_000;

/**
 * Counts what each filter option would leave with the other filters unchanged. The query counts
 * each of the sixteen combinations of traits up to `mostCounted`, and the first `mostEnding` deals
 * that end soon. The order matters, since lists by price leave out hidden prices.
 */
export async function countDealFacets(
  db: Db,
  filter: DealFilter,
  sort?: DealSort,
): Promise<DealFacets> {
  const scope = await scopeOf(db, filter, sort);
  const { status: _status, sellerType: _seller, dealType: _type, ...place } = scope;
  const evident = scope.evidence ? await gatherTraits(db, place, mostEvident) : null;
  const all = evident?.isWhole ? evident : await probeTraits(db, place);
  const expiring = await gatherTraits(db, { ...place, dealType: 'expiring' }, mostEnding);
  const counts = countOptions((option) => {
    const wanted = { ...filter, ...option };
    return sumOf(wanted.dealType === 'expiring' ? expiring : all, matchingTraits(wanted));
  });
  return { ...counts, hasUnitPrices: await hasUnitPrices(db) };
}

/** Returns the counts of the filter options from the cache, for pages. */
export function cachedDealFacets(
  services: AppServices,
  list: { filter: DealFilter; sort: DealSort },
): Promise<DealFacets> {
  const { filter, sort } = list;
  const name = `facets ${JSON.stringify([filter, sort])}`;
  return cacheValue(services, name, placeTags(list), () =>
    countDealFacets(services.db, filter, sort),
  );
}

/**
 * Returns the counts for a search, among the live deals found without these options. With
 * `isCapped`, each count is a minimum.
 */
export async function countFacetsAmong(
  db: Db,
  { ids, isCapped }: { ids: number[]; isCapped: boolean },
  filter: DealFilter,
): Promise<DealFacets> {
  const rows = ids.length === 0 ? [] : await groupFound(db, ids);
  const { categoryId, merchantId } = filter;
  const count = (option: DealFilter) => {
    const left = leftBy({ ...filter, ...option }, rows);
    return { count: left.reduce((sum, row) => sum + row.count, 0), isCapped };
  };
  return {
    ...countOptions(count),
    hasUnitPrices: await hasUnitPrices(db),
    category: await countPlaces(
      db,
      'categories',
      leftBy({ ...filter, categoryId: undefined }, rows).map((row) => [row.category_id, row.count]),
      { chosen: categoryId, isCapped },
    ),
    merchant: await countPlaces(
      db,
      'merchants',
      leftBy({ ...filter, merchantId: undefined }, rows).map((row) => [row.merchant_id, row.count]),
      { chosen: merchantId, isCapped },
    ),
  };
}

/** Reads one entry of an index, which is empty on most sites. */
async function hasUnitPrices(db: Db): Promise<boolean> {
  const [first] = await ask(db).column<number>`
    select id from deals where is_active and not is_expired and net_contents is not null
     order by ${unitRank}, id limit 1`;
  return first !== undefined;
}

function countOptions(
  count: (option: DealFilter) => FacetCount,
): Omit<DealFacets, 'hasUnitPrices'> {
  return {
    status: { new: count({ status: 'new' }), used: count({ status: 'used' }) },
    sellerType: {
      amazon: count({ sellerType: 'amazon' }),
      third_party: count({ sellerType: 'third_party' }),
    },
    dealType: {
      featured: count({ dealType: 'featured' }),
      coupon: count({ dealType: 'coupon' }),
      expiring: count({ dealType: 'expiring' }),
    },
  };
}

/** A group of found deals with the same filter values. */
interface FoundDeals {
  traits: number;
  category_id: number;
  merchant_id: number;
  is_expiring: boolean;
  count: number;
}

function groupFound(db: Db, ids: number[]): Promise<FoundDeals[]> {
  return ask(db).rows<FoundDeals>`
    select traits, category_id, merchant_id, count(*) as count,
           coalesce(${conditionOf({ dealType: 'expiring' })}, false) as is_expiring
      from deal_texts where deal_id = any(${ids}::bigint[]) and ${liveScope}
     group by traits, category_id, merchant_id, is_expiring`;
}

function leftBy(filter: DealFilter, found: FoundDeals[]): FoundDeals[] {
  const traits = new Set(matchingTraits(filter));
  return found.filter(
    (row) =>
      traits.has(row.traits) &&
      (filter.dealType !== 'expiring' || row.is_expiring) &&
      (filter.categoryId ?? row.category_id) === row.category_id &&
      (filter.merchantId ?? row.merchant_id) === row.merchant_id,
  );
}

async function countPlaces(
  db: Db,
  table: 'categories' | 'merchants',
  found: [id: number, count: number][],
  { chosen, isCapped }: { chosen: number | undefined; isCapped: boolean },
): Promise<PlaceFacet[]> {
  const counts = new Map<number, number>();
  for (const [id, count] of found) counts.set(id, (counts.get(id) ?? 0) + count);
  const most = [...counts].toSorted(([, a], [, b]) => b - a).slice(0, mostPlaces);
  // Keeps the current choice as an option.
  const ids = [...most.map(([id]) => id), ...(chosen === undefined ? [] : [chosen])];
  if (ids.length === 0) return [];
  const rows = await ask(db).rows<{ id: number; slug: string; name: string }>`
    select id, slug, name from ${sql.ref(table)} where id = any(${ids}::bigint[]) order by name, id`;
  return rows.map(({ id, slug, name }) => ({ slug, name, count: counts.get(id) ?? 0, isCapped }));
}

interface TraitCounts {
  counts: Map<number, number>;
  /** Whether every group was counted completely, below `mostCounted`. */
  isWhole: boolean;
}

/**
 * Counts combinations of traits by the scope's index, which starts with `traits`. One query per
 * combination makes the planner use that index.
 */
async function probeTraits(db: Db, place: DealScope): Promise<TraitCounts> {
  const rows = await ask(db).rows<{ traits: number; count: number }>`
    select wanted.traits, probe.count
      from generate_series(0, 15) wanted (traits),
           lateral (select count(*) from (
             select from deals
              where deals.traits = wanted.traits::smallint and ${liveScope} and ${conditionOf(place)}
              order by sale_price, id limit ${mostCounted}) found) probe
     where probe.count > 0`;
  return { counts: new Map(rows.map((row) => [row.traits, row.count])), isWhole: true };
}

/**
 * Counts combinations of traits by reading the matches. If matches are few, a query per combination
 * would scan all other rows.
 */
async function gatherTraits(db: Db, place: DealScope, most: number): Promise<TraitCounts> {
  const rows = await ask(db).rows<{ traits: number; count: number }>`
    select traits, count(*) from (
      select traits from deals where ${liveScope} and ${conditionOf(place)} limit ${most}) found
     group by traits`;
  const total = rows.reduce((sum, row) => sum + row.count, 0);
  return { counts: new Map(rows.map((row) => [row.traits, row.count])), isWhole: total < most };
}

function sumOf({ counts, isWhole }: TraitCounts, traits: number[]): FacetCount {
  const parts = traits.map((one) => counts.get(one) ?? 0);
  return {
    count: parts.reduce((sum, part) => sum + part, 0),
    isCapped: !isWhole || parts.some((part) => part >= mostCounted),
  };
}
