/**
 * The sort orders of lists and searches. The first is the default, without `sort` in the URL.
 * `best` sorts by the percentage below the usual price, and then the newest come first.
 * `unit_price` sorts by kind of unit, then by price per unit, and then the newest come first.
 */
export const listSorts = [
  'newest',
  'discount',
  'best',
  'price_low',
  'price_high',
  'unit_price',
] as const;
export const searchSorts = [
  'relevance',
  'best',
  'price_low',
  'price_high',
  'newest',
  'oldest',
  'unit_price',
] as const;
export type ListSort = (typeof listSorts)[number];
export type SearchSort = (typeof searchSorts)[number];
export type DealSort = ListSort | SearchSort;
