import { RelativeTime } from '#app/admin/frame/relative-time.tsx';
import { type PillVariant, StatusPill } from '#app/admin/frame/status-pill.tsx';
import type { RunIssue, RunSummary } from '#app/features/feeds/runs/import-log-queries.server.ts';
import type { TablePage } from '#app/platform/table-query.ts';
import { Link } from '#app/ui/link.tsx';
import { type PlainColumn, PlainTable } from '../frame/plain-table.tsx';
import { stateWords } from './import-words.ts';
import styles from './imports.module.css';

/**
 * The state of a run. `rollback` counts the results of its rollback; skipped deals can be retried.
 */
export function RunState({ state, rollback }: { state: string; rollback: object | null }) {
  const known: Readonly<Record<string, [label: string, variant: PillVariant]>> = stateWords;
  if (rollback && state !== 'rolled_back') {
    return <StatusPill variant="warn">Partly rolled back</StatusPill>;
  }
  const [label, variant] = known[state] ?? ([state, 'plain'] as const);
  return <StatusPill variant={variant}>{label}</StatusPill>;
}

/** The log of runs, newest first. */
export function RunsTable({
  page,
  now,
  path,
}: {
  page: TablePage<RunSummary>;
  now: Date;
  path: string;
}) {
  return (
    <PlainTable
      noun={{ one: 'run', many: 'runs' }}
      page={page}
      path={path}
      columns={runColumns(now)}
      idOf={({ id }) => id}
      nameOf={({ id }) => `run ${id}`}
      empty={<p className={styles.lead}>Nothing has been imported yet.</p>}
    />
  );
}

function runColumns(now: Date): PlainColumn<RunSummary>[] {
  const figures = {
    Read: 'rows_read',
    New: 'rows_new',
    Changed: 'rows_changed',
    Ended: 'rows_ended',
    Rejected: 'rows_rejected',
  } as const;
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
      cell: ({ state, rollback, is_dry_run }) => (
        <>
          <RunState state={state} rollback={rollback} />
          {is_dry_run ? <span className={styles.sub}>Dry run</span> : null}
        </>
      ),
    },
    ...Object.entries(figures).map(([label, name]) => ({
      label,
      isNumber: true,
      cell: (row: RunSummary) => row[name].toLocaleString('en-US'),
    })),
    { label: 'When', cell: ({ started_at }) => <RelativeTime at={started_at} now={now} /> },
  ];
}

const kinds: Record<RunIssue['kind'], [label: string, variant: PillVariant]> = {
  rejected: ['Rejected', 'bad'],
  held: ['Held', 'warn'],
  note: ['Note', 'plain'],
};

const issueColumns: PlainColumn<RunIssue>[] = [
  { label: 'Line', cell: ({ line }) => line ?? '–' },
  { label: 'Product', cell: ({ external_id }) => external_id ?? '–' },
  {
    label: 'What',
    cell: ({ kind }) => <StatusPill variant={kinds[kind][1]}>{kinds[kind][0]}</StatusPill>,
  },
  { label: 'Reason', cell: ({ reason }) => <span className="anywhere">{reason}</span> },
];

/** Lists the rows that need review, by line number. */
export function RunIssues({ issues, hasMore }: { issues: RunIssue[]; hasMore: boolean }) {
  if (issues.length === 0) return null;
  return (
    <section className={styles.part} aria-labelledby="issues">
      <h2 id="issues">Rows to review{hasMore ? ', the first 50' : ''}</h2>
      <PlainTable
        noun={{ one: 'row', many: 'rows' }}
        page={issues}
        idOf={({ id }) => id}
        nameOf={({ line }) => `line ${line}`}
        empty={null}
        columns={issueColumns}
      />
    </section>
  );
}
