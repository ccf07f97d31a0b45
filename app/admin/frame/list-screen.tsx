import type { ComponentProps, ReactNode } from 'react';
import { Outlet, useLocation } from 'react-router';
import type { Right } from '#app/features/accounts/policy.ts';
import {
  isFiltered,
  tableHref,
  type TablePage,
  type TableQuery,
} from '#app/platform/table-query.ts';
import { ButtonLink } from '#app/ui/button.tsx';
import { AdminHeading } from './admin-heading.tsx';
import { DataTable } from './data-table.tsx';
import { EmptyTable } from './empty-table.tsx';
import { MayChangeContext, useMay } from './may-change.ts';
import { type RowAct, RowActs } from './row-acts.tsx';
import type { Stat } from './stat-cards.tsx';
import { StatLine } from './stat-line.tsx';
import { TableFilters } from './table-filters.tsx';

type TableProps<Row, Sort extends string, Filter extends string> = Parameters<
  typeof DataTable<Row, Sort, Filter>
>[0];
type FilterProps<Sort extends string, Filter extends string> = Parameters<
  typeof TableFilters<Sort, Filter>
>[0];

/** An admin list: its statistics, filters, rows and actions. */
export function ListScreen<
  Row extends { id: string | number },
  Sort extends string,
  Filter extends string,
>({
  title,
  about,
  changeRight,
  begin: offered,
  exportTo,
  stats,
  list: { query, page },
  note,
  noun,
  spec,
  columns,
  nameOf,
  actsOf,
  bulk,
  empty,
  children,
  ...filters
}: {
  title: string;
  /** The text below the title. */
  about?: ReactNode;
  /** The right that changes rows. Without it the list only shows them. */
  changeRight?: Right;
  /** The link that opens a new row's form over the list. */
  begin?: { to: string; label: string; labelWhenEmpty?: string };
  /**
   * The URL of "Export CSV" with the list's search. If `isFile`, the URL is the file's; otherwise a
   * form's.
   */
  exportTo?: { to: string; isFile?: boolean };
  stats?: readonly Stat[];
  /** The result of `readList`. */
  list: { query: TableQuery<Sort, Filter>; page: TablePage<Row> };
  /** Content between the filters and the rows. */
  note?: ReactNode;
  actsOf?: (row: Row) => readonly (RowAct | null)[];
  /** The table's columns. Absent if `children` show the rows. */
  columns?: TableProps<Row, Sort, Filter>['columns'];
  empty: Pick<ComponentProps<typeof EmptyTable>, 'icon' | 'title' | 'titleWhenNew' | 'hint'>;
  /** Content that replaces the table, or follows it. */
  children?: ReactNode;
} & Pick<TableProps<Row, Sort, Filter>, 'noun' | 'spec' | 'nameOf' | 'bulk'> &
  Omit<FilterProps<Sort, Filter>, 'query'>) {
  const { search } = useLocation();
  const mayChange = useMay(changeRight);
  const begin = mayChange ? offered : undefined;
  const emptyTable = (
    <EmptyTable
      {...empty}
      isFiltered={isFiltered(query)}
      path={spec.path}
      begin={begin && { href: begin.to + search, label: begin.labelWhenEmpty ?? begin.label }}
    />
  );
  const menuOf = (row: Row) => {
    const acts = actsOf?.(row) ?? [];
    const shown = mayChange ? acts : acts.filter(isForReaders);
    return shown.length === 0 ? null : <RowActs id={row.id} name={nameOf(row)} acts={shown} />;
  };
  return (
    <MayChangeContext value={mayChange}>
      <Outlet />
      <AdminHeading
        title={title}
        stats={stats && <StatLine stats={stats} here={tableHref(spec, query, { page: 1 })} />}
        action={begin && { href: begin.to + search, label: begin.label }}
        more={
          exportTo && (
            <ButtonLink to={exportTo.to + search} isDocument={exportTo.isFile}>
              Export CSV
            </ButtonLink>
          )
        }
      >
        {about}
      </AdminHeading>
      <TableFilters spec={spec} query={query} {...filters} />
      {note}
      {columns ? (
        <DataTable
          noun={noun}
          spec={spec}
          query={query}
          page={page}
          columns={columns}
          idOf={(row) => row.id}
          nameOf={nameOf}
          bulk={mayChange ? bulk : undefined}
          empty={emptyTable}
          renderMenu={actsOf && menuOf}
        />
      ) : (
        page.rows.length === 0 && emptyTable
      )}
      {children}
    </MayChangeContext>
  );
}

/** Returns whether read-only users may use the action, since it only links to another screen. */
function isForReaders(act: RowAct | null): boolean {
  return act !== null && 'to' in act && !act.isOver && !act.isEdit;
}
