import { sql } from 'kysely';
import { columnTypes } from '#app/features/deals/deal-column-sql.server.ts';
import { type ColumnFor, columnsFor } from '#app/features/deals/deal-columns.ts';
import { writeAudit } from '#app/platform/audit/audit.server.ts';
import type { Db } from '#database/connect.ts';
import { underImportLock } from '../runs/import-queries.server.ts';
import { saveRunIssues, updateRun } from '../runs/import-run-queries.server.ts';
import { type ImportIssue, mostIssues } from '../runs/import-steps.ts';
import { retryConflicts } from '../runs/retry-conflicts.server.ts';
import { signWithRun } from '../runs/write-plan-queries.server.ts';
import { unmarked, updateSource } from '../sources/feed-source-queries.server.ts';

interface RollbackCounts {
  /** Deals as before the run. */
  restored: number;
  /** Deals it had made, gone again. */
  removed: number;
  /** Deals it had made that somebody keeps or followed: hidden. */
  hidden: number;
  /** Deals that somebody changed since: left alone. */
  skipped: number;
}

type RollbackResult =
  | { ok: true; counts: RollbackCounts }
  | { ok: false; reason: 'not-found' | 'busy' | 'still-running' | 'nothing-to-undo' | 'stopped' };

const nothingUndone: RollbackCounts = { restored: 0, removed: 0, hidden: 0, skipped: 0 };
const batchSize = 500;
/** Up to this many deals are put back while the admin waits; more than that become a job. */
const mostInRequest = 2_000;

/** Rolls a run back: at once, or by the job of imports where it changed more deals than somebody should wait for. */
export async function askForRollback(
  db: Db,
  actor: string,
  runId: number,
  most = mostInRequest,
): Promise<RollbackResult | { ok: true; isQueued: true }> {
  const { count } = await db
    .selectFrom('import_changes')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('import_run_id', '=', runId)
    .executeTakeFirstOrThrow();
  if (count <= most) return rollBackImport(db, actor, runId);
  const run = await db
    .updateTable('import_runs')
    // Where two people ask, it is the first who did.
    .set((eb) => ({ rolled_back_by: eb.fn.coalesce('rolled_back_by', eb.val(actor)) }))
    .where('id', '=', runId)
    .where('is_dry_run', '=', false)
    .where('state', 'not in', ['queued', 'running', 'rolled_back'])
    .returning('id')
    .executeTakeFirst();
  // What cannot be queued is refused with a reason.
  return run ? { ok: true, isQueued: true } : rollBackImport(db, actor, runId);
}

/** Rolls back what was asked for and is not done, until nothing is or the process stops. */
export async function rollBackAsked(db: Db, signal?: AbortSignal): Promise<void> {
  for (;;) {
    if (signal?.aborted) return;
    const run = await db
      .selectFrom('import_runs')
      .select(['id', 'rolled_back_by'])
      .where('rolled_back_by', 'is not', null)
      .where('state', 'not in', ['queued', 'running', 'rolled_back'])
      .orderBy('id')
      .executeTakeFirst();
    if (!run) return;
    const result = await rollBackImport(db, run.rolled_back_by ?? 'system', run.id, signal);
    if (result.ok) continue;
    if (result.reason !== 'nothing-to-undo') return;
    // What it would have put back was forgotten meanwhile.
    await updateRun(db, run.id, { rolled_back_by: null });
  }
}

/**
 * Puts back what a run changed: prices, words, ends and new deals. The price log is only ever added to, so it keeps
 * the run's prices and gets the old ones again. A deal that somebody changed since is theirs and stays, with a note.
 * The source rests afterwards: the same feed would do the same again.
 */
export async function rollBackImport(
  db: Db,
  actor: string,
  runId: number,
  signal?: AbortSignal,
): Promise<RollbackResult> {
  const result = await underImportLock(db, (session) => undo(session, actor, runId, signal));
  return result ?? { ok: false, reason: 'busy' };
}

async function undo(
  db: Db,
  actor: string,
  runId: number,
  signal: AbortSignal | undefined,
): Promise<RollbackResult> {
  const run = await db
    .selectFrom('import_runs')
    .select(['state', 'feed_source_id', 'rollback'])
    .where('id', '=', runId)
    .where('is_dry_run', '=', false)
    .executeTakeFirst();
  if (!run) return { ok: false, reason: 'not-found' };
  if (run.state === 'running' || run.state === 'queued') {
    return { ok: false, reason: 'still-running' };
  }
  // A rollback that was cut off goes on where it was.
  const counts: RollbackCounts = { ...nothingUndone, ...run.rollback };
  let hasAny = run.rollback !== null && run.state !== 'rolled_back';
  for (;;) {
    if (signal?.aborted) return { ok: false, reason: 'stopped' };
    const done = await retryConflicts(() =>
      db.transaction().execute((tx) => undoBatch(tx, runId, counts)),
    );
    if (!done) break;
    Object.assign(counts, done);
    hasAny = true;
  }
  if (!hasAny) return { ok: false, reason: 'nothing-to-undo' };
  await db.transaction().execute(async (tx) => {
    await tx.deleteFrom('import_endings').where('import_run_id', '=', runId).execute();
    await updateRun(tx, runId, { state: 'rolled_back', rolled_back_by: actor });
    if (run.feed_source_id !== null) {
      await updateSource(tx, run.feed_source_id, { ...unmarked, is_active: false });
    }
    await writeAudit(tx, {
      actor,
      action: 'import.roll-back',
      entity: 'import',
      entityId: runId,
      after: counts,
    });
  });
  return { ok: true, counts };
}

/** A column that came after the run was not kept by it, and stays as it is. */
function putBack(name: ColumnFor<'feed' | 'rollback'>) {
  return sql`${sql.ref(name)} = case when j.before ? ${sql.lit(name)} then ${sql.ref(`b.${name}`)} else ${sql.ref(`d.${name}`)} end`;
}

/** Null when nothing is left; else the figures with this batch in them. */
async function undoBatch(
  tx: Db,
  runId: number,
  before: RollbackCounts,
): Promise<RollbackCounts | null> {
  await signWithRun(tx, runId);
  // What comes down only undoes a mistake: it is no drop to an alert that waits for one.
  await sql`select set_config('app.undoes_import', 'on', true)`.execute(tx);
  await sql`
    select d.id from deals d join (
      select deal_id from import_changes where import_run_id = ${runId} order by deal_id limit ${batchSize}) c
      on c.deal_id = d.id order by d.id for update of d`.execute(tx);
  const columns = columnsFor('feed', 'rollback').filter((name) => name !== 'price_source');
  const { rows } = await sql<{ outcome: keyof RollbackCounts; external_id: string | null }>`
    with next as (
      delete from import_changes where ctid in (
        select ctid from import_changes where import_run_id = ${runId} order by deal_id limit ${batchSize})
      returning deal_id, kind, before, version_after
    ), judged as (
      select n.*, d.external_id, d.sale_price as wrong_price,
             case when d.version <> n.version_after then 'skipped'
                  when n.kind <> 'created' then 'restored'
                  when exists (select from user_favorites f where f.deal_id = d.id)
                    or exists (select from price_alerts a where a.deal_id = d.id)
                    or exists (select from clicks k where k.deal_id = d.id) then 'hidden'
                  else 'removed' end as outcome
        from next n join deals d on d.id = n.deal_id
    ), restored as (
      update deals d
         set ${sql.join(columns.map(putBack))},
             price_source = case when b.sale_price <> d.sale_price then 'import' else b.price_source end,
             price_checked_at = case when b.sale_price <> d.sale_price then now() else d.price_checked_at end,
             version = d.version + 1, updated_at = now()
        from judged j
        cross join lateral jsonb_to_record(j.before) as b(${columnTypes(columnsFor('feed', 'rollback'))})
       where d.id = j.deal_id and j.outcome = 'restored'
    ), hidden as (
      update deals d set is_active = false, version = d.version + 1, updated_at = now()
        from judged j where d.id = j.deal_id and j.outcome = 'hidden'
    ), removed as (
      delete from deals d using judged j where d.id = j.deal_id and j.outcome = 'removed'
    )
    select outcome, external_id from judged order by deal_id`.execute(tx);
  if (rows.length === 0) return null;
  const counts = { ...before };
  for (const { outcome } of rows) counts[outcome]++;
  const reason = 'not rolled back: the deal was changed after the import';
  const skipped: ImportIssue[] = rows
    .filter((row) => row.outcome === 'skipped')
    .slice(0, Math.max(0, mostIssues - before.skipped))
    .map(({ external_id }) => ({ kind: 'note', line: null, external_id, reason }));
  await saveRunIssues(tx, runId, skipped);
  await updateRun(tx, runId, { rollback: JSON.stringify(counts) });
  return counts;
}
