/** The orders of a list and of a search, under one name each. The first is the one without a `sort` in the address. */
export const listSorts = ['newest', 'discount', 'price_low', 'price_high'] as const;
export const searchSorts = ['relevance', 'price_low', 'price_high', 'newest', 'oldest'] as const;
export type ListSort = (typeof listSorts)[number];
export type SearchSort = (typeof searchSorts)[number];
export type DealSort = ListSort | SearchSort;
