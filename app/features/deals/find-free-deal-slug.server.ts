import { findFreeSlug } from '#app/features/catalog/slug-queries.server.ts';
import type { Db } from '#database/connect.ts';
import { dealSlug } from '#database/slug.ts';

/** Returns the requested slug, or one derived from the title, made unique. */
export function findFreeDealSlug(
  db: Db,
  wanted: { slug: string; title: string },
  ownId: number | null = null,
): Promise<string> {
  const wish = dealSlug(wanted.slug) || dealSlug(wanted.title) || 'deal';
  return findFreeSlug(db, 'deals', wish, ownId);
}
