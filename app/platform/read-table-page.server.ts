import type { SelectQueryBuilder, Simplify } from 'kysely';
import { pageOf, rowsPerPage, type TablePage, type TableQuery } from './table-query.ts';

/**
 * The page that is asked for of everything `rows` finds, as it selects and orders, and how many they are in all. Its
 * joins must leave a row a row. A page past the last is the last.
 */
export async function readTablePage<DB, TB extends keyof DB, Row>(
  rows: SelectQueryBuilder<DB, TB, Row>,
  query: Pick<TableQuery, 'page'>,
): Promise<TablePage<Simplify<Row>>> {
  const { total } = await rows
    .clearSelect()
    .clearOrderBy()
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .$castTo<{ total: number }>()
    .executeTakeFirstOrThrow();
  const { page, pageCount, offset } = pageOf(query, total);
  return {
    rows: await rows.limit(rowsPerPage).offset(offset).execute(),
    total,
    page,
    pageCount,
  };
}
