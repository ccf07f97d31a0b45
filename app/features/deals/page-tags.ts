import type { DealFilter } from './deal-list-input.ts';
import type { DealSort } from './deal-sorts.ts';

interface List {
  filter: DealFilter;
  sort: DealSort;
}

interface ShownDeal {
  id: number;
  product_id?: number | null;
}

/** Returns a list page's cache tags. Changes to its deals or its membership invalidate the page. */
export function listTags(list: List, shown: readonly ShownDeal[]): string[] {
  return [...placeTags(list), ...dealTags(shown)];
}

/** Returns the cache tags of a list's membership, order and count. */
export function placeTags({ filter, sort }: List): string[] {
  const { categoryId, merchantId, evidence, off, minPrice, maxPrice } = filter;
  const isByPrice =
    sort !== 'newest' || [evidence, off, minPrice, maxPrice].some((bound) => bound !== undefined);
  let place = '';
  if (merchantId !== undefined) place = `:merchant:${merchantId}`;
  if (categoryId !== undefined) place = `:category:${categoryId}`;
  return [`deals${place}`, ...(isByPrice ? [`prices${place}`] : [])];
}

/**
 * Returns when the first deal on a page expires, which makes the page outdated, or `null` if none
 * will.
 */
export function firstEnd(
  shown: readonly { expires_at: Date | null; is_expired: boolean }[],
): Date | null {
  const ends = shown.flatMap(({ expires_at, is_expired }) =>
    expires_at && !is_expired ? [expires_at.getTime()] : [],
  );
  return ends.length > 0 ? new Date(Math.min(...ends)) : null;
}

/**
 * Returns the cache tags of the deals on a page, and of their products, since cards show their
 * offers.
 */
export function dealTags(shown: readonly ShownDeal[]): string[] {
  return [
    ...new Set(
      shown.flatMap(({ id, product_id: product }) =>
        product ? [`deal:${id}`, `product:${product}`] : [`deal:${id}`],
      ),
    ),
  ];
}

/** Returns the cache tags of content that shows the offers of these products. */
export function productTags(ids: readonly number[]): string[] {
  return [...new Set(ids)].map((id) => `product:${id}`);
}
