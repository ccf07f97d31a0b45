import { sql } from 'kysely';
import type { Db } from '#database/connect.ts';
import { recentClicksOf } from '#app/features/catalog/recent-clicks.server.ts';
import { containsIn } from '#app/platform/contains-in.server.ts';
import { countRows, readTablePage } from '#app/platform/read-table-page.server.ts';
import type { TableQuery } from '#app/platform/table-query.ts';
import type { CategorySort } from './category-table.ts';

export type CategoryRow = Awaited<ReturnType<typeof listCategoryRows>>['rows'][number];
type CategoryQuery = Pick<TableQuery<CategorySort>, 'search' | 'page' | 'sort' | 'isDescending'>;

/**
 * Returns a page of categories by name or clicks, found by name or description. `all` counts them
 * without the search.
 */
export async function listCategoryRows(db: Db, query: CategoryQuery) {
  const clicks = recentClicksOf('category', 'categories.id');
  const rows = db
    .selectFrom('categories')
    .where(containsIn(query.search, 'name', 'description'))
    .select(['id', 'name', 'slug', 'icon', 'description', 'deal_count'])
    .select(clicks.as('clicks'))
    .orderBy(query.sort === 'clicks' ? clicks : sql`name`, query.isDescending ? 'desc' : 'asc')
    .orderBy('id');
  const all = await countRows(db.selectFrom('categories'));
  return { ...(await readTablePage(rows, query)), all };
}
