import { readPageNumber } from './page-number.ts';
import { parseRowId } from './parse-row-id.ts';
import { cutText } from '#app/platform/cut-text.ts';

/** rows per page of every admin table */
export const rowsPerPage = 50;
const longestSearch = 100;
const deepestPage = 1_000_000;

/**
 * The allowed values of a filter: one of these words, the id of a row, or any text that matches.
 */
type FilterKind = readonly string[] | 'id' | RegExp;

/** The parameters that a table reads from the URL. */
export interface TableSpec<Sort extends string, Filter extends string> {
  path: string;
  sorts: readonly Sort[];
  /** The default order as written in the URL. For example, `-created` means newest first. */
  defaultSort: Sort | `-${Sort}`;
  filters: Record<Filter, FilterKind>;
  /** The optional columns, in their order. */
  columns?: readonly string[];
}

/** The query in the URL: search, filters, order and page, all of which the database handles. */
export interface TableQuery<Sort extends string = string, Filter extends string = string> {
  search: string;
  sort: Sort;
  isDescending: boolean;
  filters: Record<Filter, string | null>;
  page: number;
  /** The columns to show, if the URL names them. */
  columns?: readonly string[] | null;
}

/**
 * One page of rows. `page` is the number of the page shown: the last one, if a later one was
 * requested.
 */
export interface TablePage<Row> {
  rows: Row[];
  total: number;
  page: number;
  pageCount: number;
}

/** Parses a table's URL. Invalid values are ignored. */
export function parseTableQuery<Sort extends string, Filter extends string>(
  spec: TableSpec<Sort, Filter>,
  params: URLSearchParams,
): TableQuery<Sort, Filter> {
  const typed = (params.get('q') ?? '').normalize('NFC');
  const filters = Object.fromEntries(
    Object.entries<FilterKind>(spec.filters).map(([name, kind]) => [
      name,
      parseFilter(kind, params.get(name)),
    ]),
  );
  return {
    search: cutText(typed.replace(/\p{Cc}/gu, ' ').trim(), longestSearch).trimEnd(),
    ...parseSort(spec, params.get('sort')),
    filters: filters as Record<Filter, string | null>,
    page: Math.min(readPageNumber(params.get('page')) ?? 1, deepestPage),
    ...(spec.columns && { columns: parseColumns(spec, params.get('columns')) }),
  };
}

/** Returns the shortest URL of the same query, without defaults. */
export function tableHref<Sort extends string, Filter extends string>(
  spec: TableSpec<Sort, Filter>,
  query: TableQuery<Sort, Filter>,
  change: Partial<TableQuery<Sort, Filter>> = {},
): string {
  const wanted = { ...query, ...change };
  const params = new URLSearchParams();
  if (wanted.search) params.set('q', wanted.search);
  const values: Readonly<Record<string, string | null>> = wanted.filters;
  for (const name of Object.keys(spec.filters)) {
    const value = values[name] ?? null;
    if (value !== null) params.set(name, value);
  }
  const sort = `${wanted.isDescending ? '-' : ''}${wanted.sort}`;
  if (sort !== spec.defaultSort) params.set('sort', sort);
  if (wanted.columns) params.set('columns', wanted.columns.join(' '));
  if (wanted.page > 1) params.set('page', String(wanted.page));
  const search = params.toString();
  return search ? `${spec.path}?${search}` : spec.path;
}

export function isFiltered(query: TableQuery): boolean {
  return query.search !== '' || Object.values(query.filters).some((value) => value !== null);
}

/** Returns the position where a page begins, clamped to the existing rows. */
export function pageOf(query: Pick<TableQuery, 'page'>, total: number) {
  const pageCount = Math.max(1, Math.ceil(total / rowsPerPage));
  const page = Math.min(query.page, pageCount);
  return { page, pageCount, offset: (page - 1) * rowsPerPage };
}

function parseSort<Sort extends string>(
  spec: TableSpec<Sort, string>,
  given: string | null,
): { sort: Sort; isDescending: boolean } {
  for (const asked of [given ?? '', spec.defaultSort]) {
    const sort = spec.sorts.find((one) => one === asked.replace(/^-/, ''));
    if (sort !== undefined) return { sort, isDescending: asked.startsWith('-') };
  }
  throw new Error(`${spec.path} has no default order`);
}

/** Parses the columns to show. Unknown columns are ignored. Returns null if none remain. */
export function parseColumns(
  { columns = [] }: Pick<TableSpec<string, string>, 'columns'>,
  given: string | null,
): string[] | null {
  if (given === null) return null;
  const names = given.split(' ');
  const chosen = columns.filter((name) => names.includes(name));
  return chosen.length > 0 ? chosen : null;
}

function parseFilter(kind: FilterKind, value: string | null): string | null {
  if (value === null) return null;
  if (kind === 'id') return parseRowId(value) === null ? null : value;
  if (kind instanceof RegExp) return kind.test(value) ? value : null;
  return kind.includes(value) ? value : null;
}
