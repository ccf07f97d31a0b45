import { sql } from 'kysely';
import type { Db } from '#database/connect.ts';
import type { ImportPhase, ImportState, PriceChange } from '#database/schema/feed-tables.ts';

export interface ImportCounts {
  read: number;
  new: number;
  changed: number;
  unchanged: number;
  held: number;
  rejected: number;
  /** Deals that ended because the feed no longer names them; in a dry run, that would. */
  ended: number;
  /** Variants that went into the deal of their group. */
  folded: number;
}

/** A row that needs a look. Rejected rows are not in; held ones wait; a note tells what was left out. */
export interface ImportIssue {
  kind: 'rejected' | 'held' | 'note';
  line: number | null;
  external_id: string | null;
  reason: string;
}

export interface RunProgress {
  phase: ImportPhase;
  counts: ImportCounts;
  rowsDone: number;
  rowsTotal: number | null;
  bytesRead: number;
  bytesTotal: number | null;
  timing: Partial<Record<ImportPhase, number>>;
}

/** A run that still says "running" while the lock was free has died without a word. */
export async function closeCrashedRuns(db: Db): Promise<void> {
  await db
    .updateTable('import_runs')
    .set({
      state: 'interrupted',
      phase: null,
      error: 'the process ended before the import did; what it had committed is in',
      finished_at: sql<Date>`now()`,
    })
    .where('state', '=', 'running')
    .execute();
}

/** Begins a run that waited, under the lock of all imports; false when it waits no longer. */
export async function claimRun(db: Db, runId: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('import_runs')
    .set({ state: 'running', started_at: sql<Date>`now()`, beat_at: sql<Date>`now()` })
    .where('id', '=', runId)
    .where('state', '=', 'queued')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
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
    .values({ ...run, state: 'running' })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/**
 * In the transaction of the batch they count, so that a killed import leaves true figures. Answers whether somebody
 * wants the run to stop.
 */
export async function saveProgress(db: Db, runId: number, now: RunProgress): Promise<boolean> {
  const { counts } = now;
  const row = await db
    .updateTable('import_runs')
    .set({
      phase: now.phase,
      rows_done: now.rowsDone,
      rows_total: now.rowsTotal,
      bytes_read: now.bytesRead,
      bytes_total: now.bytesTotal,
      rows_read: counts.read,
      rows_new: counts.new,
      rows_changed: counts.changed,
      rows_unchanged: counts.unchanged,
      rows_held: counts.held,
      rows_rejected: counts.rejected,
      rows_ended: counts.ended,
      rows_folded: counts.folded,
      timing: JSON.stringify(now.timing),
      beat_at: sql<Date>`now()`,
    })
    .where('id', '=', runId)
    .returning('wants_cancel')
    .executeTakeFirst();
  return row?.wants_cancel ?? false;
}

export async function saveRunFacts(
  db: Db,
  runId: number,
  facts: { format?: string; merchant_id?: number | null; preview?: PriceChange[] },
): Promise<void> {
  const { preview, ...rest } = facts;
  await db
    .updateTable('import_runs')
    .set({ ...rest, ...(preview ? { preview: JSON.stringify(preview) } : {}) })
    .where('id', '=', runId)
    .execute();
}

export async function saveRunIssues(db: Db, runId: number, issues: ImportIssue[]): Promise<void> {
  if (issues.length === 0) return;
  await db
    .insertInto('import_issues')
    .values(
      issues.map(({ kind, line, external_id, reason }) => ({
        import_run_id: runId,
        kind,
        line,
        external_id,
        reason: storable(reason),
      })),
    )
    .execute();
}

export async function finishRun(
  db: Db,
  runId: number,
  state: ImportState,
  error: string | null,
): Promise<void> {
  await db
    .updateTable('import_runs')
    .set({ state, error: error && storable(error), phase: null, finished_at: sql<Date>`now()` })
    .where('id', '=', runId)
    .execute();
}

/** Words that quote a feed: PostgreSQL takes no null character, and nobody reads a thousand. */
function storable(words: string): string {
  return words.slice(0, 1_000).toWellFormed().replaceAll('\0', '\uFFFD');
}
