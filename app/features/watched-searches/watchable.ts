import type { Selectable } from 'kysely';
import type { Database } from '#database/schema.ts';

/**
 * A list, search or product as stored: its address and name for people, its conditions for the
 * database.
 */
export type Watchable = Pick<
  Selectable<Database['watched_searches']>,
  | 'address'
  | 'name'
  | 'words'
  | 'key_word'
  | 'other_keys'
  | 'category_id'
  | 'merchant_id'
  | 'traits'
  | 'min_price'
  | 'max_price'
  | 'ends_soon'
  | 'evidence'
  | 'condition'
  | 'off'
  | 'brand'
  | 'product_id'
  | 'offer_class'
  | 'with_shipping'
>;

export type ReadWatchable = { ok: true; watchable: Watchable } | { ok: false; message: string };

/** Returns whether the address is a product's. A product is watched at all stores. */
export function isOfProduct(address: string): boolean {
  return address.startsWith('/products/');
}

/**
 * Returns the address that a request stores. A product's address includes the wished price and
 * condition.
 */
export function requestAddress({
  address,
  max_price,
  offer_class,
  with_shipping,
}: Watchable): string {
  if (offer_class === null) return address;
  const wish = new URLSearchParams({
    condition: offer_class,
    shipping: with_shipping ? '1' : '0',
    ...(max_price !== null && { max: String(max_price) }),
  });
  return `${address}?${wish}`;
}
