import type { Db } from '#database/connect.ts';

/** Slugs of all categories with the time of their last change, for the sitemap. */
export async function listCategoryAddresses(
  db: Db,
  limit: number,
): Promise<{ slug: string; updated_at: Date }[]> {
  return await db
    .selectFrom('categories')
    .select(['slug', 'updated_at'])
    .orderBy('id')
    .limit(limit)
    .execute();
}
