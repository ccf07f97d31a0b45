import { findPresentSlug } from '#app/features/catalog/slug-queries.server.ts';
import { findCategoryBySlug } from '#app/features/categories/category-queries.server.ts';
import { findMerchantBySlug } from '#app/features/merchants/merchant-queries.server.ts';
import type { Db } from '#database/connect.ts';

/** Finds a category or a merchant by slug, for API clients. */
export const slugLookups = {
  category: {
    find: findCategoryBySlug,
    table: 'categories',
    unknown: 'No category has this slug.',
  },
  merchant: {
    find: findMerchantBySlug,
    table: 'merchants',
    unknown: 'No store has this slug.',
  },
} as const;

export type SlugLookup = (typeof slugLookups)[keyof typeof slugLookups];

/**
 * Finds a row by its current or a former slug. Returns `undefined` if no slug was given, and `null`
 * if it never existed.
 */
export async function findIdBySlug(db: Db, lookup: SlugLookup, slug: string | undefined) {
  if (slug === undefined) return undefined;
  const found = await lookup.find(db, slug);
  if (found) return found.id;
  const present = await findPresentSlug(db, lookup.table, slug);
  return present === null ? null : ((await lookup.find(db, present))?.id ?? null);
}
