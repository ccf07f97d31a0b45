import type { Db } from '#database/connect.ts';
import { containsIn } from '#app/platform/contains-in.server.ts';
import { countRows, readTablePage } from '#app/platform/read-table-page.server.ts';
import type { TableQuery } from '#app/platform/table-query.ts';

/** A page of categories by name, found by name or description; `all` counts them whatever is searched. */
export async function listCategoryRows(db: Db, query: Pick<TableQuery, 'search' | 'page'>) {
  const rows = db
    .selectFrom('categories')
    .where(containsIn(query.search, 'name', 'description'))
    .select(['id', 'name', 'slug', 'icon', 'description', 'deal_count'])
    .orderBy('name')
    .orderBy('id');
  const all = await countRows(db.selectFrom('categories'));
  return { ...(await readTablePage(rows, query)), all };
}
