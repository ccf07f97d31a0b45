import type { SelectQueryBuilder, Simplify } from 'kysely';
import { pageOf, rowsPerPage, type TablePage, type TableQuery } from './table-query.ts';

/**
 * A page of all that `rows` finds, and their number; past the last page it is the last. No join may multiply rows.
 * `reversed`: the same in the opposite order, by which pages near the end are read. `known`: their number, where they need
 * not be counted.
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

/** How many rows a query finds, whatever it selects of them. */
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
