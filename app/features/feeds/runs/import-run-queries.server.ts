import { sql } from 'kysely';
import type { Db } from '#database/connect.ts';
import type { ImportState } from '#database/schema/feed-tables.ts';
import type { ImportIssue, ImportSoFar, ImportStep } from './import-steps.ts';

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
export async function saveProgress(db: Db, runId: number, now: ImportSoFar): Promise<boolean> {
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

/** What a step found out that the run's row says besides its figures. */
export async function saveRunFacts(
  db: Db,
  runId: number,
  { feed, merchantId, preview }: ImportStep,
): Promise<void> {
  const facts = {
    ...(feed && { format: feed.format }),
    ...(merchantId !== undefined && { merchant_id: merchantId }),
    ...(preview && { preview: JSON.stringify(preview) }),
  };
  if (Object.keys(facts).length === 0) return;
  await db.updateTable('import_runs').set(facts).where('id', '=', runId).execute();
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
