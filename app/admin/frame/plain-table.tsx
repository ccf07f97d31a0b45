import { leadToLastPage } from '#app/platform/page-number.ts';
import {
  pageOf,
  parseTableQuery,
  rowsPerPage,
  type TablePage,
  type TableSpec,
} from '#app/platform/table-query.ts';
import { type Column, DataTable } from './data-table.tsx';

export type PlainColumn<Row> = Column<Row, 'newest'>;
type Table<Row> = Parameters<typeof DataTable<Row, 'newest', never>>[0];

const spec: TableSpec<'newest', never> = {
  path: '',
  sorts: ['newest'],
  defaultSort: 'newest',
  filters: {},
};

/** Returns the requested page of rows, or redirects to the last page if the list is shorter. */
export async function readPlainPage<Row>(
  request: Request,
  read: (cut: { limit: number; offset: number }) => Promise<{ rows: Row[]; total: number }>,
): Promise<TablePage<Row>> {
  const asked = parseTableQuery(spec, new URL(request.url).searchParams);
  const found = await read({ limit: rowsPerPage, offset: (asked.page - 1) * rowsPerPage });
  const { page, pageCount } = pageOf(asked, found.total);
  leadToLastPage(request, pageCount, Infinity);
  return { ...found, page, pageCount };
}

/** A table without sorting, search or filters. All rows are shown, or those of the current page. */
export function PlainTable<Row>({
  page,
  path = '',
  ...table
}: Omit<Table<Row>, 'spec' | 'query' | 'page'> & { page: Row[] | TablePage<Row>; path?: string }) {
  const shown = Array.isArray(page)
    ? { rows: page, total: page.length, page: 1, pageCount: 1 }
    : page;
  const query = { ...parseTableQuery(spec, new URLSearchParams()), page: shown.page };
  return <DataTable {...table} spec={{ ...spec, path }} query={query} page={shown} />;
}
