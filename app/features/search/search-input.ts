import { centsToDecimal, parseMoney } from '#app/platform/money.ts';

export const searchSorts = ['relevance', 'price_low', 'price_high', 'newest', 'oldest'] as const;
export type SearchSort = (typeof searchSorts)[number];

export const longestSearch = 100;

/** A search as the address of the results page holds it: `/deals?search=…&sort=…&min=…&max=…&page=…`. */
export interface SearchInput {
  /** Clean (see `cleanSearchText`); empty means no search. */
  query: string;
  sort: SearchSort;
  /** Sale price in cents, inclusive. */
  minPrice: number | null;
  maxPrice: number | null;
  page: number;
  /** `exact=1`: what was typed, without correcting it. */
  isExact: boolean;
}

/** Reads the address. What is missing or makes no sense falls back to its default: an address is never an error. */
export function parseSearchInput(parameters: URLSearchParams): SearchInput {
  const sort = parameters.get('sort');
  return {
    query: cleanSearchText(parameters.get('search') ?? ''),
    sort: searchSorts.find((known) => known === sort) ?? 'relevance',
    minPrice: parseMoney(parameters.get('min')?.trim() ?? ''),
    maxPrice: parseMoney(parameters.get('max')?.trim() ?? ''),
    page: parsePage(parameters.get('page')),
    isExact: parameters.get('exact') === '1',
  };
}

/** One spelling for what looks the same: composed accents, single spaces, no control characters, at most 100 long. */
export function cleanSearchText(text: string): string {
  const plain = text
    .slice(0, 10 * longestSearch)
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\u{FFFD}\s]+/gu, ' ')
    .trim();
  return Array.from(plain).slice(0, longestSearch).join('').trim();
}

/** The address of a search; `changes` are laid over it. Defaults are left out, so that one search has one address. */
export function toSearchParams(
  input: SearchInput,
  changes: Partial<SearchInput> = {},
): URLSearchParams {
  const wanted = { ...input, ...changes };
  const parameters = new URLSearchParams();
  if (wanted.query !== '') parameters.set('search', wanted.query);
  if (wanted.sort !== 'relevance') parameters.set('sort', wanted.sort);
  if (wanted.minPrice !== null) parameters.set('min', centsToDecimal(wanted.minPrice));
  if (wanted.maxPrice !== null) parameters.set('max', centsToDecimal(wanted.maxPrice));
  if (wanted.page > 1) parameters.set('page', String(wanted.page));
  if (wanted.isExact) parameters.set('exact', '1');
  return parameters;
}

/** The n of "Clear Filters (n)". The sort is no filter: it hides nothing. */
export function activeFilterCount(input: SearchInput): number {
  return Number(input.minPrice !== null) + Number(input.maxPrice !== null);
}

function parsePage(text: string | null): number {
  return text !== null && /^[1-9]\d{0,3}$/.test(text) ? Number(text) : 1;
}
