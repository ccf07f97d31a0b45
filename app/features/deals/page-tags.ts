import type { DealFilter } from './deal-list-input.ts';
import type { DealSort } from './deal-sorts.ts';

interface List {
  filter: DealFilter;
  sort: DealSort;
}

/** What empties the page of a list (decision 041): a deal on it changes, or other deals belong on it. */
export function listTags(list: List, shown: readonly { id: number }[]): string[] {
  return [...placeTags(list), ...dealTags(shown)];
}

/** What empties all that is known of a list but its deals: which belong on it, in what order, and how many. */
export function placeTags({ filter, sort }: List): string[] {
  const { categoryId, merchantId, evidence, off, minPrice, maxPrice } = filter;
  const isByPrice =
    sort !== 'newest' || [evidence, off, minPrice, maxPrice].some((bound) => bound !== undefined);
  let place = '';
  if (merchantId !== undefined) place = `:merchant:${merchantId}`;
  if (categoryId !== undefined) place = `:category:${categoryId}`;
  return [`deals${place}`, ...(isByPrice ? [`prices${place}`] : [])];
}

/** What empties a page because of the deals that it shows. */
export function dealTags(shown: readonly { id: number }[]): string[] {
  return [...new Set(shown.map(({ id }) => `deal:${id}`))];
}
