import { parseMoney } from '#app/platform/money.ts';
import { parsePageNumber } from '#app/platform/page-number.ts';

export type DealSort = 'newest' | 'discount' | 'price-low' | 'price-high';
export type DealTypeFilter = 'featured' | 'coupon' | 'expiring';

/** What narrows a list; prices in cents. */
export interface DealFilter {
  categoryId?: number;
  merchantId?: number;
  status?: 'new' | 'used';
  sellerType?: 'amazon' | 'third_party';
  dealType?: DealTypeFilter;
  minPrice?: number;
  maxPrice?: number;
}

/** A list as its address describes it. */
export interface DealListInput {
  page: number;
  sort: DealSort;
  status?: 'new' | 'used';
  sellerType?: 'amazon' | 'third_party';
  dealType?: DealTypeFilter;
  minPrice?: number;
  maxPrice?: number;
}

export interface ActiveFilter {
  /** The URL parameter that carries it. */
  name: 'status' | 'seller' | 'type' | 'min' | 'max';
  value: string;
}

export const dealSorts: readonly DealSort[] = ['newest', 'discount', 'price-low', 'price-high'];
const statuses = ['new', 'used'] as const;
const sellerTypes = ['amazon', 'third_party'] as const;
const dealTypes: readonly DealTypeFilter[] = ['featured', 'coupon', 'expiring'];

/** Reads a list's address. A wrong value counts as absent, so that no address is an error. */
export function parseDealListInput(params: URLSearchParams): DealListInput {
  return {
    page: parsePageNumber(params),
    sort: oneOf(dealSorts, params.get('sort')) ?? 'newest',
    status: oneOf(statuses, params.get('status')),
    sellerType: oneOf(sellerTypes, params.get('seller')),
    dealType: oneOf(dealTypes, params.get('type')),
    minPrice: parseMoney(params.get('min') ?? '') ?? undefined,
    maxPrice: parseMoney(params.get('max') ?? '') ?? undefined,
  };
}

/** The address of a list, with everything that is the default left out. */
export function toSearchParams(input: Partial<DealListInput>): URLSearchParams {
  const params = new URLSearchParams();
  for (const { name, value } of activeFilters(input)) params.set(name, value);
  if (input.sort && input.sort !== 'newest') params.set('sort', input.sort);
  if (input.page && input.page > 1) params.set('page', String(input.page));
  return params;
}

/** The filters in force, in the order of the bar. */
export function activeFilters(input: Partial<DealListInput>): ActiveFilter[] {
  const filters: ActiveFilter[] = [];
  if (input.status) filters.push({ name: 'status', value: input.status });
  if (input.sellerType) filters.push({ name: 'seller', value: input.sellerType });
  if (input.dealType) filters.push({ name: 'type', value: input.dealType });
  if (input.minPrice !== undefined) filters.push({ name: 'min', value: decimal(input.minPrice) });
  if (input.maxPrice !== undefined) filters.push({ name: 'max', value: decimal(input.maxPrice) });
  return filters;
}

function decimal(cents: number): string {
  return cents % 100 === 0 ? String(cents / 100) : (cents / 100).toFixed(2);
}

function oneOf<T extends string>(values: readonly T[], value: string | null): T | undefined {
  return values.find((candidate) => candidate === value);
}
