import type { DealFilter } from './deal-list-input.ts';
import type { DealSort } from './deal-sorts.ts';

/** What empties the page of a list (decision 041): a deal on it changes, or other deals belong on it. */
export function listTags(
  { filter, sort }: { filter: DealFilter; sort: DealSort },
  shown: readonly { id: number }[],
): string[] {
  const { categoryId, merchantId, minPrice, maxPrice } = filter;
  const isByPrice = sort !== 'newest' || minPrice !== undefined || maxPrice !== undefined;
  let place = '';
  if (merchantId !== undefined) place = `:merchant:${merchantId}`;
  if (categoryId !== undefined) place = `:category:${categoryId}`;
  return [`deals${place}`, ...(isByPrice ? [`prices${place}`] : []), ...dealTags(shown)];
}

/** What empties a page because of the deals that it shows. */
export function dealTags(shown: readonly { id: number }[]): string[] {
  return [...new Set(shown.map(({ id }) => `deal:${id}`))];
}
