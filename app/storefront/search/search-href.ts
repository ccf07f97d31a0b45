import { type SearchInput, toSearchParams } from '#app/features/search/search-input.ts';

/** The address of a search with some of it changed. */
export function searchHref(input: SearchInput, changes: Partial<SearchInput> = {}): string {
  return `/deals?${toSearchParams(input, changes)}`;
}
