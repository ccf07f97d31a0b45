import type { Db } from '#database/connect.ts';
import { containsPattern } from '#app/platform/like-pattern.ts';
import { readTablePage } from '#app/platform/read-table-page.server.ts';
import type { TablePage, TableQuery } from '#app/platform/table-query.ts';
import type { Category } from './category-queries.server.ts';

/** A page of categories by name, found by name or description; `all` counts them whatever is searched. */
export async function listCategoryRows(
  db: Db,
  query: Pick<TableQuery, 'search' | 'page'>,
): Promise<TablePage<Category> & { all: number }> {
  const pattern = containsPattern(query.search);
  const rows = db
    .selectFrom('categories')
    .where((eb) => eb.or([eb('name', 'ilike', pattern), eb('description', 'ilike', pattern)]))
    .select(['id', 'name', 'slug', 'icon', 'description', 'deal_count'])
    .orderBy('name')
    .orderBy('id');
  const { all } = await db
    .selectFrom('categories')
    .select(({ fn }) => fn.countAll<number>().as('all'))
    .executeTakeFirstOrThrow();
  return { ...(await readTablePage(rows, query)), all };
}
