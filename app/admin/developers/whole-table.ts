import type { TablePage, TableQuery, TableSpec } from '#app/platform/table-query.ts';

const spec: TableSpec<'newest', never> = {
  path: '/admin/developers',
  sorts: ['newest'],
  defaultSort: 'newest',
  filters: {},
};
const query: TableQuery<'newest', never> = {
  search: '',
  sort: 'newest',
  isDescending: false,
  filters: {},
  page: 1,
};

/** For a `DataTable` that shows all there is. */
export function wholeTable<Row>(rows: Row[]): {
  spec: typeof spec;
  query: typeof query;
  page: TablePage<Row>;
} {
  return { spec, query, page: { rows, total: rows.length, page: 1, pageCount: 1 } };
}
