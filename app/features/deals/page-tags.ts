import type { DealFilter } from './deal-list-input.ts';
import type { DealSort } from './deal-sorts.ts';

interface List {
  filter: DealFilter;
  sort: DealSort;
}

/**
 * What empties the page of a list (decision 041): a deal on it changes, other deals belong on it, or prices changed that its
 * filters by evidence count.
 */
export function listTags(list: List, shown: readonly { id: number }[]): string[] {
  return [...new Set([...placeTags(list), ...evidenceTags(list), ...dealTags(shown)])];
}

/** What empties all that is known of a list but its deals: which belong on it, in what order, and how many. */
export function placeTags({ filter, sort }: List): string[] {
  const { evidence, minPrice, maxPrice } = filter;
  const isByPrice =
    sort !== 'newest' || [evidence, minPrice, maxPrice].some((bound) => bound !== undefined);
  return [`deals${placeOf(filter)}`, ...(isByPrice ? [`prices${placeOf(filter)}`] : [])];
}

/** What empties what is counted of the price log. */
export function evidenceTags({ filter }: Pick<List, 'filter'>): string[] {
  return [`deals${placeOf(filter)}`, `prices${placeOf(filter)}`];
}

function placeOf({ categoryId, merchantId }: DealFilter): string {
  if (categoryId !== undefined) return `:category:${categoryId}`;
  return merchantId === undefined ? '' : `:merchant:${merchantId}`;
}

/** What empties a page because of the deals that it shows. */
export function dealTags(shown: readonly { id: number }[]): string[] {
  return [...new Set(shown.map(({ id }) => `deal:${id}`))];
}
