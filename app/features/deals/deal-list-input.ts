import { type DealCondition, dealConditions } from '#database/schema/catalog-tables.ts';
import { parseMoney, toDecimal } from '#app/platform/money.ts';
import { pagedParameters } from '#app/platform/page-number.ts';
import {
  oneOf,
  type PageParameters,
  type Parameter,
  readParameters,
  textParameter,
  writeParameters,
} from '#app/platform/page-parameters.ts';
import type { ListAddress } from './deal-list-address.ts';
import {
  type DealSort,
  listSorts,
  type ListSort,
  searchSorts,
  type SearchSort,
} from './deal-sorts.ts';

/**
 * `coupon`: deals with a code of their own; coupons of their store don't count. `expiring`: deals
 * that end within 72 hours.
 */
export type DealTypeFilter = 'featured' | 'coupon' | 'expiring';

/**
 * `low`: never cheaper in 90 days, and more expensive before. `fell`: the same for 7 days. Both are
 * based on our own log.
 */
export type EvidenceFilter = 'low' | 'fell';

/** characters as people count them */
export const longestSearch = 100;

/** The filters of a list; prices in minor units. */
export interface DealFilter {
  categoryId?: number;
  merchantId?: number;
  status?: 'new' | 'used';
  sellerType?: 'amazon' | 'third_party';
  condition?: DealCondition;
  dealType?: DealTypeFilter;
  evidence?: EvidenceFilter;
  /** The brand's name, in any case and with or without accents. */
  brand?: string;
  /** The minimum discount in percent, counted like the order by discount. */
  off?: number;
  minPrice?: number;
  maxPrice?: number;
}

type ListFilter = Required<Omit<DealFilter, 'categoryId' | 'merchantId'>>;

type ListFields = ListFilter & {
  sort: DealSort;
  page: number;
};

interface SearchFields extends ListFields {
  /** The query, after `cleanSearchText`. */
  query: string;
  /** The query as typed, without spelling correction. */
  isExact: true;
  /** The slugs of category and store. */
  category: string;
  merchant: string;
}

/**
 * A list as its URL describes it. With a `query` it is a search, and the rest filters the
 * results.
 */
export interface DealListInput extends Partial<SearchFields> {
  sort: DealSort;
  page: number;
}

export type PlainListInput = DealListInput & { query?: undefined; sort: ListSort };
export type SearchInput = DealListInput & { query: string; sort: SearchSort };

/**
 * The parameters of a list's URL, in the order of the bar. Category and store are part of the
 * path.
 */
export const listParameters = (currency: string): PageParameters<ListFields> => ({
  status: oneOf('status', ['new', 'used']),
  condition: oneOf('condition', dealConditions),
  sellerType: oneOf('seller', ['amazon', 'third_party']),
  dealType: oneOf('type', ['featured', 'coupon', 'expiring']),
  evidence: oneOf('evidence', ['low', 'fell']),
  brand: textParameter('brand', cleanSearchText),
  off: {
    name: 'off',
    read: (text) => (/^[1-9]\d?$/.test(text) ? Number(text) : undefined),
    write: String,
  },
  minPrice: price('min', currency),
  maxPrice: price('max', currency),
  sort: oneOf<DealSort>('sort', [...searchSorts, ...listSorts]),
  ...pagedParameters,
});

/** The parameters of a search's URL: those of a list, and more. */
export const searchParameters = (currency: string): PageParameters<SearchFields> => ({
  query: textParameter('search', cleanSearchText),
  isExact: { name: 'exact', read: (text) => text === '1' || undefined, write: () => '1' },
  category: textParameter('category', slugOf),
  merchant: textParameter('merchant', slugOf),
  ...listParameters(currency),
});

/** Parses the URL of a list. */
export function parseDealListInput(address: URLSearchParams, currency: string): PlainListInput {
  return withUsualOrder(readParameters(listParameters(currency), address), listSorts);
}

/** Parses a URL that may be a search; without search words it is a list. */
export function parseSearchInput(
  address: URLSearchParams,
  currency: string,
): PlainListInput | SearchInput {
  const { query, ...input } = readParameters(searchParameters(currency), address);
  return query
    ? { query, ...withUsualOrder(input, searchSorts) }
    : parseDealListInput(address, currency);
}

function withUsualOrder<Input extends Partial<ListFields>, Sort extends DealSort>(
  input: Input,
  sorts: readonly [Sort, ...Sort[]],
): Omit<Input, 'sort' | 'page'> & { sort: Sort; page: number } {
  const sort = sorts.find((known) => known === input.sort) ?? sorts[0];
  return { ...input, sort, page: input.page ?? 1 };
}

/** Returns the filters of a list, without category and store, which a URL names by slug. */
export function filterOf(input: DealListInput): DealFilter {
  const { status, condition, sellerType, dealType, evidence, brand, off } = input;
  const { minPrice, maxPrice } = input;
  const filter = {
    status,
    condition,
    sellerType,
    dealType,
    evidence,
    brand,
    off,
    minPrice,
    maxPrice,
  };
  // Fails to compile if a filter is missing.
  return filter satisfies Record<keyof ListFilter, unknown>;
}

/** Returns the URL of a list's or search's first page for parsed input. */
export function listAddress(path: string, input: DealListInput, currency: string): ListAddress {
  const [parameters, sorts] = input.query
    ? [searchParameters(currency), searchSorts]
    : [listParameters(currency), listSorts];
  return { path, values: writeParameters(parameters, { ...input, page: 1 }), sorts };
}

function price(name: string, currency: string): Parameter<number> {
  return {
    name,
    read: (text) => parseMoney(text, currency) ?? undefined,
    write: (amount) => toDecimal(amount, currency).replace(/\.0+$/, ''),
  };
}

/**
 * Normalizes text: composed accents, single spaces, no control characters, at most 100 characters.
 */
export function cleanSearchText(text: string): string {
  const plain = text
    .slice(0, 10 * longestSearch)
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\u{FFFD}\s]+/gu, ' ')
    .trim();
  return Array.from(plain).slice(0, longestSearch).join('').trim();
}

/** Rejects text that cannot be a slug, since the database rejects some characters. */
function slugOf(text: string): string {
  return /^[a-z0-9-]{1,200}$/.test(text) ? text : '';
}

/**
 * Returns the query string with the current name of an old sort order (`price-low`), or `null` if
 * it has none.
 */
export function presentQuery(address: URLSearchParams): URLSearchParams | null {
  const sort = address.get('sort');
  if (sort !== 'price-low' && sort !== 'price-high') return null;
  const query = new URLSearchParams(address);
  query.set('sort', sort.replace('-', '_'));
  return query;
}
