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

/** When the first of the deals on a page ends, which makes the page wrong; null where none will. */
export function firstEnd(
  shown: readonly { expires_at: Date | null; is_expired: boolean }[],
): Date | null {
  const ends = shown.flatMap(({ expires_at, is_expired }) =>
    expires_at && !is_expired ? [expires_at.getTime()] : [],
  );
  return ends.length > 0 ? new Date(Math.min(...ends)) : null;
}

/** What empties a page because of the deals that it shows. */
export function dealTags(shown: readonly { id: number }[]): string[] {
  return [...new Set(shown.map(({ id }) => `deal:${id}`))];
}
