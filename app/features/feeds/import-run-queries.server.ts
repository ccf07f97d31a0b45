import { sql } from 'kysely';
import type { Db } from '#database/connect.ts';

export interface ImportCounts {
  read: number;
  new: number;
  changed: number;
  unchanged: number;
  held: number;
  rejected: number;
}

/** A row that needs a look. Rejected rows are not in; held ones wait; a note tells what was left out. */
export interface ImportIssue {
  kind: 'rejected' | 'held' | 'note';
  line: number | null;
  external_id: string | null;
  reason: string;
}

/** A run that still says "running" while its lock was free has died without a word. */
export async function closeCrashedRuns(db: Db, merchantId: number): Promise<void> {
  await db
    .updateTable('import_runs')
    .set({
      state: 'interrupted',
      error: 'the process ended before the import did; what it had committed is in',
      finished_at: sql<Date>`now()`,
    })
    .where('merchant_id', '=', merchantId)
    .where('state', '=', 'running')
    .execute();
}

export async function startRun(
  db: Db,
  run: {
    merchant_id: number | null;
    feed_source_id: number | null;
    source_name: string;
    format: string;
    started_by: string | null;
  },
): Promise<number> {
  const { id } = await db
    .insertInto('import_runs')
    .values(run)
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** In the transaction of the batch they count, so that a killed import leaves true figures. */
export async function saveRunCounts(db: Db, runId: number, counts: ImportCounts): Promise<void> {
  await db
    .updateTable('import_runs')
    .set({
      rows_read: counts.read,
      rows_new: counts.new,
      rows_changed: counts.changed,
      rows_unchanged: counts.unchanged,
      rows_held: counts.held,
      rows_rejected: counts.rejected,
    })
    .where('id', '=', runId)
    .execute();
}

export async function saveRunIssues(db: Db, runId: number, issues: ImportIssue[]): Promise<void> {
  if (issues.length === 0) return;
  await db
    .insertInto('import_issues')
    .values(
      issues.map(({ line, external_id, reason }) => ({
        import_run_id: runId,
        line,
        external_id,
        reason: reason.slice(0, 1_000).toWellFormed(),
      })),
    )
    .execute();
}

export async function finishRun(
  db: Db,
  runId: number,
  state: 'done' | 'failed' | 'interrupted',
  error: string | null,
): Promise<void> {
  await db
    .updateTable('import_runs')
    .set({ state, error, finished_at: sql<Date>`now()` })
    .where('id', '=', runId)
    .execute();
}
