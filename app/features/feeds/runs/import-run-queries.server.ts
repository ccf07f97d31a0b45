import { type Insertable, sql, type UpdateObject } from 'kysely';
import type { Db } from '#database/connect.ts';
import type { Database } from '#database/schema.ts';
import type { ImportState } from '#database/schema/feed-tables.ts';
import type { ImportIssue, ImportSoFar } from './import-steps.ts';

/**
 * Closes runs that are still "running" although the lock is free, since their process died. By
 * default, the reason is unknown. Returns the ids of these runs.
 */
export async function closeCrashedRuns(db: Db, reason?: string): Promise<number[]> {
  const lost = await db
    .updateTable('import_runs')
    .set({
      state: reason === undefined ? 'interrupted' : 'failed',
      phase: null,
      error:
        reason ?? 'the process stopped during the import; the batches already written are kept',
      finished_at: sql<Date>`now()`,
    })
    .where('state', '=', 'running')
    .returning('id')
    .execute();
  const ids = lost.map(({ id }) => id);
  if (reason === undefined) await resumeSchedules(db, ids);
  return ids;
}

/** After this many interrupted runs in a row, a source waits for its schedule. */
const mostInterrupted = 3;

/**
 * Makes the sources of interrupted runs due at once, so that the next run adds the rest. A source
 * without a schedule must be run manually.
 */
export async function resumeSchedules(db: Db, runIds: readonly number[]): Promise<void> {
  if (runIds.length === 0) return;
  await sql`
    update feed_sources s set next_run_at = now()
     where s.is_active and s.schedule_minutes is not null
       and s.id in (select feed_source_id from import_runs where id = any (${runIds}::bigint[]) and not is_dry_run)
       and (select count(*) from (
              select state from import_runs r where r.feed_source_id = s.id and not r.is_dry_run
               order by r.id desc limit ${mostInterrupted}) last
             where last.state in ('interrupted', 'failed')) < ${mostInterrupted}`.execute(db);
}

/** Starts a queued run under the import lock. Returns `false` if the run is no longer queued. */
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
  run: Omit<Insertable<Database['import_runs']>, 'state'>,
): Promise<number> {
  const { id } = await db
    .insertInto('import_runs')
    .values({ ...run, state: 'running' })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Updates columns of a run's row. Returns whether a stop was requested. */
export async function updateRun(
  db: Db,
  runId: number,
  columns: UpdateObject<Database, 'import_runs', 'import_runs'>,
): Promise<boolean> {
  const row = await db
    .updateTable('import_runs')
    .set(columns)
    .where('id', '=', runId)
    .returning('wants_cancel')
    .executeTakeFirst();
  return row?.wants_cancel ?? false;
}

/**
 * Runs in the transaction of the batch, so that the counts are correct even if the import is
 * killed.
 */
export function saveProgress(db: Db, runId: number, now: ImportSoFar): Promise<boolean> {
  const { counts } = now;
  return updateRun(db, runId, {
    format: now.format ?? undefined,
    encoding: now.encoding ?? undefined,
    merchant_id: now.merchantId,
    preview: now.preview && JSON.stringify(now.preview),
    field_changes: now.fieldChanges && JSON.stringify(now.fieldChanges),
    rehearsal: now.dryRun && JSON.stringify(now.dryRun),
    phase: now.phase,
    rows_done: now.rowsDone,
    phase_since: sql<Date>`case when phase is distinct from ${now.phase} then now() else phase_since end`,
    rows_total: now.rowsTotal,
    rows_to_write: now.rowsToWrite,
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
    rows_reduced: counts.reduced,
    timing: JSON.stringify(now.timing),
    beat_at: sql<Date>`now()`,
  });
}

export async function saveRunIssues(db: Db, runId: number, issues: ImportIssue[]): Promise<void> {
  if (issues.length === 0) return;
  const rows = issues.map((issue) => ({
    ...issue,
    import_run_id: runId,
    reason: storable(issue.reason),
  }));
  await db.insertInto('import_issues').values(rows).execute();
}

export async function finishRun(
  db: Db,
  runId: number,
  state: ImportState,
  error: string | null,
): Promise<void> {
  const end = { state, error: error && storable(error), phase: null };
  await updateRun(db, runId, { ...end, finished_at: sql<Date>`now()` });
}

/**
 * Limits the length of text quoted from a feed, and removes null characters, which PostgreSQL
 * rejects.
 */
function storable(words: string): string {
  return words.slice(0, 1_000).toWellFormed().replaceAll('\0', '\uFFFD');
}
