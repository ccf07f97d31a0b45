/**
 * The orders of a list and of a search, under one name each. The first is the one without a `sort` in the address. `best`: by how
 * many percent a price is below the usual one; the others follow, newest first.
 */
export const listSorts = ['newest', 'discount', 'best', 'price_low', 'price_high'] as const;
export const searchSorts = [
  'relevance',
  'best',
  'price_low',
  'price_high',
  'newest',
  'oldest',
] as const;
export type ListSort = (typeof listSorts)[number];
export type SearchSort = (typeof searchSorts)[number];
export type DealSort = ListSort | SearchSort;
