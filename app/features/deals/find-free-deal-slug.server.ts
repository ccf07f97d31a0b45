import { findFreeSlug } from '#app/features/catalog/slug-queries.server.ts';
import type { Db } from '#database/connect.ts';
import { slugify } from '#database/slug.ts';

/** Returns the requested slug, or the title's, made unique. */
export function findFreeDealSlug(
  db: Db,
  wanted: { slug: string; title: string },
  ownId: number | null = null,
): Promise<string> {
  // A slug of digits would read as a deal's id in its address.
  const wish = slugify(wanted.slug) || slugify(wanted.title) || 'deal';
  return findFreeSlug(db, 'deals', /^\d+$/.test(wish) ? `deal-${wish}` : wish, ownId);
}
