import { type ReactNode, useId } from 'react';
import {
  type TablePage,
  type TableQuery,
  tableHref,
  type TableSpec,
} from '#app/platform/table-query.ts';
import { ChipLink } from '#app/ui/chip.tsx';
import { Link } from '#app/ui/link.tsx';
import { Pager } from '#app/ui/pager.tsx';
import { BulkBar, type BulkVerb } from './bulk-bar.tsx';
import styles from './data-table.module.css';
import { describeRows, type Noun } from './describe-rows.ts';
import { useRowSelection } from './use-row-selection.ts';

export interface Column<Row, Sort extends string> {
  /** The column's label. The label also names the cell on narrow screens, where rows are cards. */
  label: string;
  sort?: Sort;
  /** Whether the column has numbers: right-aligned, with tabular digits. */
  isNumber?: boolean;
  cell: (row: Row) => ReactNode;
}

/**
 * Renders a page of rows. The first column names the row and contains its link. With
 * `data-key-open`, the keys `Enter` and `e` follow this link. Sorting, paging and selecting work
 * as links and forms. Scripts add shortcut keys, range selection and the count of selected rows.
 */
export function DataTable<Row, Sort extends string, Filter extends string>({
  noun,
  spec,
  query,
  page,
  columns,
  idOf,
  nameOf,
  renderMenu,
  bulk,
  empty,
}: {
  noun: Noun;
  spec: TableSpec<Sort, Filter>;
  query: TableQuery<Sort, Filter>;
  page: TablePage<Row>;
  columns: readonly Column<Row, Sort>[];
  idOf: (row: Row) => string | number;
  nameOf: (row: Row) => string;
  /** The row's `RowMenu`, or buttons. */
  renderMenu?: (row: Row) => ReactNode;
  /** Bulk actions, posted as `intent=bulk`, `verb`, `ids` or `all`, and `expected`. */
  bulk?: { verbs: readonly BulkVerb[]; extra?: ReactNode };
  empty: ReactNode;
}) {
  const bulkId = useId();
  const ids = page.rows.map((row) => String(idOf(row)));
  const selection = useRowSelection(ids);
  if (page.rows.length === 0) return empty;

  const head = { spec, query, columns };
  return (
    <div className={styles.table}>
      {bulk ? (
        <BulkBar id={bulkId} noun={noun} total={page.total} selection={selection} {...bulk} />
      ) : null}
      <Orders {...head} />
      <div className={styles.scroll}>
        <table>
          <caption>{describeRows(page, noun)}</caption>
          <thead>
            <tr>
              {bulk ? (
                <th scope="col" className={styles.check}>
                  <input
                    type="checkbox"
                    data-needs-js
                    aria-label={`Select all ${noun.many} on this page`}
                    checked={selection.isWholePage}
                    ref={(box) => {
                      if (box) box.indeterminate = selection.count > 0 && !selection.isWholePage;
                    }}
                    onChange={(event) => selection.setPage(event.target.checked)}
                  />
                </th>
              ) : null}
              <HeadCells {...head} />
              {renderMenu ? (
                <th scope="col">
                  <span className="visually-hidden">Actions</span>
                </th>
              ) : null}
            </tr>
          </thead>
          <tbody>
            {page.rows.map((row, index) => (
              <tr
                key={ids[index]}
                tabIndex={-1}
                data-row
                data-selected={selection.has(ids[index] ?? '') || undefined}
              >
                {bulk ? (
                  <td className={styles.check}>
                    <input
                      type="checkbox"
                      form={bulkId}
                      name="ids"
                      value={ids[index]}
                      aria-label={`Select ${nameOf(row)}`}
                      data-key-select
                      {...selection.boxOf(index)}
                    />
                  </td>
                ) : null}
                {columns.map((column, at) => {
                  const Cell = at === 0 ? 'th' : 'td';
                  return (
                    <Cell
                      key={column.label}
                      scope={at === 0 ? 'row' : undefined}
                      data-label={column.label}
                      data-number={column.isNumber}
                    >
                      {column.cell(row)}
                    </Cell>
                  );
                })}
                {renderMenu ? <td className={styles.menu}>{renderMenu(row)}</td> : null}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Pager
        page={page.page}
        pageCount={page.pageCount}
        label={`Pages of ${noun.many}`}
        hrefOf={(number) => tableHref(spec, query, { page: number })}
      />
    </div>
  );
}

interface HeadProps<Row, Sort extends string, Filter extends string> {
  spec: TableSpec<Sort, Filter>;
  query: TableQuery<Sort, Filter>;
  columns: readonly Column<Row, Sort>[];
}

/** Sort links for cards, which have no column heads. */
function Orders<Row, Sort extends string, Filter extends string>({
  columns,
  ...head
}: HeadProps<Row, Sort, Filter>) {
  const sorted = columns.filter(({ sort }) => sort !== undefined);
  if (sorted.length === 0) return null;
  return (
    <nav className={styles.orders} aria-label="Order">
      <span aria-hidden="true">Order</span>
      {sorted.map((column) => {
        const { href, arrow, isCurrent } = orderBy(column, head);
        return (
          <ChipLink key={column.label} to={href} isCurrent={isCurrent}>
            {`${column.label} ${arrow}`.trim()}
          </ChipLink>
        );
      })}
    </nav>
  );
}

function HeadCells<Row, Sort extends string, Filter extends string>({
  columns,
  ...head
}: HeadProps<Row, Sort, Filter>) {
  const order = head.query.isDescending ? 'descending' : 'ascending';
  return columns.map((column) => {
    const { label, sort, isNumber } = column;
    const { href, arrow, isCurrent } = orderBy(column, head);
    return (
      <th key={label} scope="col" data-number={isNumber} aria-sort={isCurrent ? order : undefined}>
        {sort === undefined ? (
          label
        ) : (
          <Link to={href} className={styles.sort}>
            {label}
            <span aria-hidden="true">{arrow}</span>
          </Link>
        )}
      </th>
    );
  });
}

/**
 * Returns the sort order after a click on a column's name. The first click sorts text A to Z and
 * numbers largest first, the next one in reverse.
 */
function orderBy<Sort extends string, Filter extends string>(
  { sort, isNumber = false }: Pick<Column<never, Sort>, 'sort' | 'isNumber'>,
  { spec, query }: { spec: TableSpec<Sort, Filter>; query: TableQuery<Sort, Filter> },
) {
  const isCurrent = query.sort === sort;
  const isDescending = isCurrent ? !query.isDescending : isNumber;
  return {
    isCurrent,
    href: tableHref(spec, query, { sort: sort ?? query.sort, isDescending, page: 1 }),
    arrow: isCurrent ? (query.isDescending ? '↓' : '↑') : '',
  };
}
