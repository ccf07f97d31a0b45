import { type Column, DataTable } from '#app/admin/frame/data-table.tsx';
import { type PillLook, StatusPill } from '#app/admin/frame/status-pill.tsx';
import type { RunIssue } from '#app/features/feeds/runs/import-log-queries.server.ts';
import { runsSpec } from './runs-table.tsx';
import styles from './imports.module.css';

const kinds: Record<RunIssue['kind'], [label: string, look: PillLook]> = {
  rejected: ['Rejected', 'bad'],
  held: ['Held', 'warn'],
  note: ['Note', 'plain'],
};

const columns: Column<RunIssue, 'newest'>[] = [
  { label: 'Line', cell: ({ line }) => line ?? '–' },
  { label: 'Product', cell: ({ external_id }) => external_id ?? '–' },
  {
    label: 'What',
    cell: ({ kind }) => <StatusPill look={kinds[kind][1]}>{kinds[kind][0]}</StatusPill>,
  },
  {
    label: 'Reason',
    cell: ({ reason }) => <span className={styles.reason}>{reason}</span>,
  },
];

/** The rows that need a look, by their lines. */
export function RunIssues({ issues, hasMore }: { issues: RunIssue[]; hasMore: boolean }) {
  if (issues.length === 0) return null;
  return (
    <section className={styles.part} aria-labelledby="issues">
      <h2 id="issues">Rows that need a look{hasMore ? ', the first 50' : ''}</h2>
      <DataTable
        noun={{ one: 'row', many: 'rows' }}
        spec={runsSpec}
        query={{ search: '', sort: 'newest', isDescending: true, filters: {}, page: 1 }}
        page={{ rows: issues, total: issues.length, page: 1, pageCount: 1 }}
        idOf={({ id }) => id}
        nameOf={({ line }) => `line ${line}`}
        empty={null}
        columns={columns}
      />
    </section>
  );
}
