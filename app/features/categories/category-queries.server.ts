import type { Db } from '#database/connect.ts';

const columns = ['id', 'name', 'slug', 'icon', 'description', 'deal_count'] as const;

export type Category = NonNullable<Awaited<ReturnType<typeof findCategoryBySlug>>>;

/** All categories by name, with the number of their live deals. */
export function listCategories(db: Db): Promise<Category[]> {
  return db.selectFrom('categories').select(columns).orderBy('name').orderBy('id').execute();
}

export async function findCategoryBySlug(db: Db, slug: string) {
  const row = await db
    .selectFrom('categories')
    .select(columns)
    .where('slug', '=', slug)
    .executeTakeFirst();
  return row ?? null;
}

/** The present slug of a category that once had this one. */
export async function findCategoryRedirect(db: Db, slug: string): Promise<string | null> {
  const row = await db
    .selectFrom('slug_redirects')
    .innerJoin('categories', 'categories.id', 'slug_redirects.target_id')
    .select('categories.slug')
    .where('slug_redirects.kind', '=', 'category')
    .where('slug_redirects.slug', '=', slug)
    .executeTakeFirst();
  return row?.slug ?? null;
}
