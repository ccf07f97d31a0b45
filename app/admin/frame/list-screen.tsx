import type { ComponentProps, ReactNode } from 'react';
import { Outlet, useLocation } from 'react-router';
import { isFiltered, type TablePage, type TableQuery } from '#app/platform/table-query.ts';
import { ButtonLink } from '#app/ui/button.tsx';
import { AdminHeading } from './admin-heading.tsx';
import { DataTable } from './data-table.tsx';
import { EmptyTable } from './empty-table.tsx';
import { type RowAct, RowActs } from './row-acts.tsx';
import { type Stat, StatCards } from './stat-cards.tsx';
import { TableFilters } from './table-filters.tsx';

type TableProps<Row, Sort extends string, Filter extends string> = Parameters<
  typeof DataTable<Row, Sort, Filter>
>[0];
type FilterProps<Sort extends string, Filter extends string> = Parameters<
  typeof TableFilters<Sort, Filter>
>[0];

/** One list of the back office: its figures, filters and rows, and what can be done with them. */
export function ListScreen<
  Row extends { id: string | number },
  Sort extends string,
  Filter extends string,
>({
  title,
  about,
  begin,
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
  /** The line below the title. */
  about?: ReactNode;
  /** Opens the form of a new row over the list. */
  begin?: { to: string; label: string; labelWhenEmpty?: string };
  /** Where "Export CSV" leads with the search of the list: to a form, or at once to the file. */
  exportTo?: { to: string; isFile?: boolean };
  stats?: readonly Stat[];
  /** As `readList` answers it. */
  list: { query: TableQuery<Sort, Filter>; page: TablePage<Row> };
  /** Between the filters and the rows. */
  note?: ReactNode;
  actsOf?: (row: Row) => readonly (RowAct | null)[];
  /** Absent where `children` show the rows. */
  columns?: TableProps<Row, Sort, Filter>['columns'];
  empty: Pick<ComponentProps<typeof EmptyTable>, 'icon' | 'title' | 'titleWhenNew' | 'hint'>;
  /** In place of a table, or below it. */
  children?: ReactNode;
} & Pick<TableProps<Row, Sort, Filter>, 'noun' | 'spec' | 'nameOf' | 'bulk'> &
  Omit<FilterProps<Sort, Filter>, 'query'>) {
  const { search } = useLocation();
  const emptyTable = (
    <EmptyTable
      {...empty}
      isFiltered={isFiltered(query)}
      path={spec.path}
      begin={begin && { href: begin.to + search, label: begin.labelWhenEmpty ?? begin.label }}
    />
  );
  return (
    <>
      <Outlet />
      <AdminHeading
        title={title}
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
      {stats ? <StatCards stats={stats} /> : null}
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
          bulk={bulk}
          empty={emptyTable}
          renderMenu={
            actsOf && ((row) => <RowActs id={row.id} name={nameOf(row)} acts={actsOf(row)} />)
          }
        />
      ) : (
        page.rows.length === 0 && emptyTable
      )}
      {children}
    </>
  );
}
