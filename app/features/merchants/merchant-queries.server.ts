import type { Db } from '#database/connect.ts';

const columns = [
  'id',
  'name',
  'slug',
  'description',
  'logo_url',
  'website_url',
  'is_featured',
  'free_shipping_over',
  'deal_count',
] as const;

export type Merchant = NonNullable<Awaited<ReturnType<typeof findMerchantBySlug>>>;

/** A page of all merchants by name. */
export function listMerchantsByName(
  db: Db,
  { limit, offset }: { limit: number; offset: number },
): Promise<Merchant[]> {
  return db
    .selectFrom('merchants')
    .select(columns)
    .orderBy('name')
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute();
}

export function listFeaturedMerchants(db: Db, limit: number): Promise<Merchant[]> {
  return db
    .selectFrom('merchants')
    .select(columns)
    .where('is_featured', '=', true)
    .orderBy('name')
    .orderBy('id')
    .limit(limit)
    .execute();
}

export async function countMerchants(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('merchants')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

export async function findMerchantBySlug(db: Db, slug: string) {
  const row = await db
    .selectFrom('merchants')
    .select(columns)
    .where('slug', '=', slug)
    .executeTakeFirst();
  return row ?? null;
}

/** The present slug of a merchant that once had this one. */
export async function findMerchantRedirect(db: Db, slug: string): Promise<string | null> {
  const row = await db
    .selectFrom('slug_redirects')
    .innerJoin('merchants', 'merchants.id', 'slug_redirects.target_id')
    .select('merchants.slug')
    .where('slug_redirects.kind', '=', 'merchant')
    .where('slug_redirects.slug', '=', slug)
    .executeTakeFirst();
  return row?.slug ?? null;
}
