import type { Db } from '#database/connect.ts';

/** Slugs of all merchants with the time of their last change, for the sitemap. */
export async function listMerchantAddresses(
  db: Db,
  limit: number,
): Promise<{ slug: string; updated_at: Date }[]> {
  return await db
    .selectFrom('merchants')
    .select(['slug', 'updated_at'])
    .orderBy('id')
    .limit(limit)
    .execute();
}
