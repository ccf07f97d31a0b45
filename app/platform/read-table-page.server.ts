import type { SelectQueryBuilder, Simplify } from 'kysely';
import { pageOf, rowsPerPage, type TablePage, type TableQuery } from './table-query.ts';

/**
 * Returns a page of the rows and the total number of rows. A page number past the end returns the
 * last page. Joins must not multiply rows. `reversed` is the query in the opposite order, used to
 * read pages near the end. `known` is the number of rows, if they need not be counted.
 */
export async function readTablePage<DB, TB extends keyof DB, Row>(
  rows: SelectQueryBuilder<DB, TB, Row>,
  query: Pick<TableQuery, 'page'>,
  reversed?: SelectQueryBuilder<DB, TB, Row>,
  known?: number,
): Promise<TablePage<Simplify<Row>>> {
  const total = known ?? (await countRows(rows));
  const { offset, ...place } = pageOf(query, total);
  const after = Math.max(0, total - offset - rowsPerPage);
  const found =
    reversed && after < offset
      ? (
          await reversed
            .limit(Math.min(rowsPerPage, total - offset))
            .offset(after)
            .execute()
        ).toReversed()
      : await rows.limit(rowsPerPage).offset(offset).execute();
  return { rows: found, total, ...place };
}

/** Counts the rows of a query, whatever it selects. */
export async function countRows<DB, TB extends keyof DB, Row>(
  rows: SelectQueryBuilder<DB, TB, Row>,
): Promise<number> {
  const { total } = await rows
    .clearSelect()
    .clearOrderBy()
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .$castTo<{ total: number }>()
    .executeTakeFirstOrThrow();
  return total;
}
