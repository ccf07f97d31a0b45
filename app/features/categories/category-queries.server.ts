import { type AppServices, cacheValue } from '#app/platform/app-context.server.ts';
import { searchColumns } from '#app/features/catalog/search-fields.ts';
import type { Db } from '#database/connect.ts';

const columns = ['id', 'name', 'slug', 'icon', 'description', 'deal_count'] as const;

export type Category = NonNullable<Awaited<ReturnType<typeof findCategoryBySlug>>>;

/** Returns all categories by name, with their number of live deals. */
export function listCategories(db: Db): Promise<Category[]> {
  return categories(db).orderBy('name').orderBy('id').execute();
}

/** Returns all categories from the cache, for pages. */
export function cachedCategories(services: AppServices): Promise<readonly Category[]> {
  return cacheValue(services, 'categories', ['deals'], () => listCategories(services.db));
}

export async function findCategoryBySlug(db: Db, slug: string) {
  return (await categories(db).where('slug', '=', slug).executeTakeFirst()) ?? null;
}

/** Returns the texts of a category for its page's head, from the cache. */
export function cachedCategoryHead(services: AppServices, id: number) {
  return cacheValue(services, `category head ${id}`, ['deals'], () =>
    services.db
      .selectFrom('categories')
      .select(['name', 'description', ...searchColumns, 'share_image_url'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow(),
  );
}

function categories(db: Db) {
  return db.selectFrom('categories').select(columns);
}
