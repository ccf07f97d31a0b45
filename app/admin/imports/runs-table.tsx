import { Link } from 'react-router';
import { type Column, DataTable } from '#app/admin/frame/data-table.tsx';
import { RelativeTime } from '#app/admin/frame/relative-time.tsx';
import { StatusPill } from '#app/admin/frame/status-pill.tsx';
import type { RunSummary } from '#app/features/feeds/runs/import-log-queries.server.ts';
import type { TablePage, TableQuery, TableSpec } from '#app/platform/table-query.ts';
import { stateWords } from './import-words.ts';
import styles from './imports.module.css';

export const runsSpec: TableSpec<'newest', never> = {
  path: '/admin/imports',
  sorts: ['newest'],
  defaultSort: 'newest',
  filters: {},
};

export function toPage<Row>(
  { rows, total }: { rows: Row[]; total: number },
  page: number,
  limit: number,
): TablePage<Row> {
  return { rows, total, page, pageCount: Math.max(1, Math.ceil(total / limit)) };
}

/** The log of runs, newest first. */
export function RunsTable({
  page,
  query,
  now,
  path = runsSpec.path,
}: {
  page: TablePage<RunSummary>;
  query: TableQuery<'newest', never>;
  now: Date;
  path?: string;
}) {
  return (
    <DataTable
      noun={{ one: 'run', many: 'runs' }}
      spec={{ ...runsSpec, path }}
      query={query}
      page={page}
      columns={columns(now)}
      idOf={({ id }) => id}
      nameOf={({ id }) => `run ${id}`}
      empty={<p className={styles.lead}>Nothing has been imported yet.</p>}
    />
  );
}

function columns(now: Date): Column<RunSummary, 'newest'>[] {
  const figure = (
    label: string,
    of: (row: RunSummary) => number,
  ): Column<RunSummary, 'newest'> => ({
    label,
    isNumber: true,
    cell: (row) => of(row).toLocaleString('en-US'),
  });
  return [
    {
      label: 'Run',
      cell: ({ id, source, merchant }) => (
        <>
          <Link to={`/admin/imports/runs/${id}`} data-key-open>
            {source}
          </Link>
          <span className={styles.sub}>{merchant}</span>
        </>
      ),
    },
    {
      label: 'State',
      cell: ({ state, is_dry_run }) => (
        <>
          <StatusPill look={stateWords[state][1]}>{stateWords[state][0]}</StatusPill>
          {is_dry_run ? <span className={styles.sub}>Dry run</span> : null}
        </>
      ),
    },
    figure('Read', (row) => row.rows_read),
    figure('New', (row) => row.rows_new),
    figure('Changed', (row) => row.rows_changed),
    figure('Ended', (row) => row.rows_ended),
    figure('Rejected', (row) => row.rows_rejected),
    { label: 'When', cell: ({ started_at }) => <RelativeTime at={started_at} now={now} /> },
  ];
}
