import { sql } from 'kysely';
import { columnTypes } from '#app/features/deals/deal-column-sql.server.ts';
import { type ColumnFor, columnsFor } from '#app/features/deals/deal-columns.ts';
import { writeAudit } from '#app/platform/audit/audit.server.ts';
import { takeBackPrices } from '#app/features/deals/void-prices.server.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { underImportLock } from '../runs/import-queries.server.ts';
import { saveRunIssues, updateRun } from '../runs/import-run-queries.server.ts';
import { type ImportIssue, mostIssues } from '../runs/import-steps.ts';
import { retryConflicts } from '../runs/retry-conflicts.server.ts';
import { signWithRun } from '../runs/write-plan-queries.server.ts';
import { unmarked, updateSource } from '../sources/feed-source-queries.server.ts';

interface RollbackCounts {
  /** Deals restored to their state before the run. */
  restored: number;
  /** New deals of the run that were deleted. */
  removed: number;
  /** New deals of the run that were hidden, since they have favorites, alerts or clicks. */
  hidden: number;
  /** Deals changed after the run, which are skipped until the next attempt. */
  skipped: number;
}

type RollbackResult =
  | { ok: true; counts: RollbackCounts }
  | { ok: false; reason: 'not-found' | 'busy' | 'still-running' | 'nothing-to-undo' | 'stopped' };

const nothingUndone: RollbackCounts = { restored: 0, removed: 0, hidden: 0, skipped: 0 };
const batchSize = 500;
/** The maximum number of deals restored during the request; a job restores more. */
const mostInRequest = 2_000;

/** Rolls back a run immediately, or in the import job if it changed too many deals. */
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
    // If two users request a rollback, the first one is recorded.
    .set((eb) => ({ rolled_back_by: eb.fn.coalesce('rolled_back_by', eb.val(actor)) }))
    .where('id', '=', runId)
    .where('is_dry_run', '=', false)
    .where('state', 'not in', ['queued', 'running', 'rolled_back'])
    .returning('id')
    .executeTakeFirst();
  // A run that cannot be queued is rejected with a reason.
  return run ? { ok: true, isQueued: true } : rollBackImport(db, actor, runId);
}

/** Whether a rollback was requested and is not finished. */
export const isRollbackAsked = sql<boolean>`
  rolled_back_by is not null and state not in ('queued', 'running', 'rolled_back')`;

/** Runs requested rollbacks until none are left or the process stops. */
export async function rollBackAsked(db: Db, signal?: AbortSignal): Promise<void> {
  for (;;) {
    if (signal?.aborted) return;
    const run = await db
      .selectFrom('import_runs')
      .select(['id', 'rolled_back_by'])
      .where(isRollbackAsked)
      .orderBy('id')
      .executeTakeFirst();
    if (!run) return;
    const result = await rollBackImport(db, run.rolled_back_by ?? 'system', run.id, signal);
    if (result.ok) continue;
    if (result.reason !== 'nothing-to-undo') return;
    // The run's stored changes were deleted in the meantime.
    await updateRun(db, run.id, { rolled_back_by: null });
  }
}

/**
 * Rolls back a run: prices, texts, expiry and new deals. The run's lines in the price log are
 * voided. A deal that staff or a later run changed is skipped with a note, and its earlier state is
 * kept for another attempt. The source is paused, since the same feed would repeat the changes.
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
  // An interrupted rollback continues with the remaining deals. Skipped deals are checked again.
  let counts: RollbackCounts = { ...nothingUndone, ...run.rollback, skipped: 0 };
  let hasAny = run.rollback !== null && run.state !== 'rolled_back' && !run.rollback['skipped'];
  await forgetNotes(db, runId);
  let after = 0;
  for (;;) {
    if (signal?.aborted) return { ok: false, reason: 'stopped' };
    const done: Batch | null = await retryConflicts(() =>
      db.transaction().execute((tx) => undoBatch(tx, { actor, runId }, { after, counts })),
    );
    if (!done) break;
    ({ after, counts } = done);
    hasAny = true;
  }
  if (!hasAny) return { ok: false, reason: 'nothing-to-undo' };
  await db.transaction().execute(async (tx) => {
    await tx.deleteFrom('import_endings').where('import_run_id', '=', runId).execute();
    const isWhole = counts.skipped === 0;
    await updateRun(tx, runId, {
      ...(isWhole ? { state: 'rolled_back' } : run.state === 'asking' && { state: 'done' }),
      rolled_back_by: isWhole ? actor : null,
    });
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

/**
 * Restores a column. A column added after the run is left unchanged, since the run did not store
 * it.
 */
function putBack(name: ColumnFor<'feed' | 'rollback'>) {
  return sql`${sql.ref(name)} = case when j.before ? ${sql.lit(name)} then ${sql.ref(`b.${name}`)} else ${sql.ref(`d.${name}`)} end`;
}

/**
 * Removes the ids of replaced products from the run's new deals, so that the former deals can get
 * them back.
 */
async function freeIds(tx: Db, runId: number): Promise<void> {
  await sql`
    update deals o set external_id = null
      from import_changes c join deals d on d.id = c.deal_id, import_changes made
     where c.import_run_id = ${runId} and d.version = c.version_after and d.external_id is null
       and o.merchant_id = d.merchant_id and o.external_id = c.before ->> 'external_id'
       and made.import_run_id = ${runId} and made.deal_id = o.id and made.kind = 'created' and made.version_after = o.version`.execute(
    tx,
  );
}

/** The last processed deal, and the counts up to it. */
interface Batch {
  after: number;
  counts: RollbackCounts;
}

/**
 * Rolls back the next deals. Returns `null` if none is left, else the counts including this batch.
 */
async function undoBatch(
  tx: Db,
  { actor, runId }: { actor: string; runId: number },
  { after, counts: before }: Batch,
): Promise<Batch | null> {
  await signWithRun(tx, runId);
  await sql`
    select d.id from deals d join (
      select deal_id from import_changes
       where import_run_id = ${runId} and deal_id > ${after} order by deal_id limit ${batchSize}) c
      on c.deal_id = d.id order by d.id for update of d`.execute(tx);
  const lines = await findLines(tx, runId, after);
  let rows: Undone[] = [];
  await takeBackPrices(
    tx,
    lines,
    { actor, reason: `Import ${runId} was rolled back` },
    async () => {
      rows = await undoNext(tx, runId, after);
    },
  );
  const last = rows.at(-1)?.deal_id;
  if (last === undefined) return null;
  const counts = { ...before };
  for (const { outcome } of rows) counts[outcome]++;
  const skipped: ImportIssue[] = rows
    .filter((row) => row.outcome === 'skipped')
    .slice(0, Math.max(0, mostIssues - before.skipped))
    .map(({ external_id, run }) => ({ kind: 'note', line: null, external_id, reason: why(run) }));
  await saveRunIssues(tx, runId, skipped);
  await updateRun(tx, runId, { rollback: JSON.stringify(counts) });
  return { after: last, counts };
}

/** Returns the run's lines in the price logs of the next deals to restore. */
function findLines(tx: Db, runId: number, after: number): Promise<number[]> {
  return ask(tx).column<number>`
    select l.id
      from (select * from import_changes where import_run_id = ${runId} and deal_id > ${after}
             order by deal_id limit ${batchSize}) c
      join deals d on d.id = c.deal_id and d.version = c.version_after
      join price_log l on l.deal_id = c.deal_id and l.import_run_id = ${runId}
     where c.kind <> 'created' order by l.id`;
}

/** Rolls back the next deals, which must be locked. */
async function undoNext(tx: Db, runId: number, after: number): Promise<Undone[]> {
  const columns = columnsFor('feed', 'rollback').filter(
    (name) => name !== 'price_source' && name !== 'external_id',
  );
  await freeIds(tx, runId);
  const { rows } = await sql<Undone>`
    with next as (
      select deal_id, kind, jsonb_build_object('currency', currency) || before as before, version_after, coalesce(version_before, version_after - 1) as version_before
        from import_changes
       where import_run_id = ${runId} and deal_id > ${after} order by deal_id limit ${batchSize}
    ), judged as (
      select n.*, d.external_id,
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
             external_id = case when j.before ? 'external_id' and not exists (select from deals o
               where o.merchant_id = d.merchant_id and o.external_id = b.external_id and o.id <> d.id) then b.external_id else d.external_id end,
             price_source = case when b.sale_price <> d.sale_price then 'import' else b.price_source end,
             version = d.version + 1, updated_at = now()
        from judged j
        cross join lateral jsonb_to_record(j.before) as b(${columnTypes(columnsFor('feed', 'rollback'))})
       where d.id = j.deal_id and j.outcome = 'restored'
      returning d.id, d.version, j.version_before
    ), continued as (
      -- The previous run left the deal in this state, so it can be rolled back next.
      update import_changes c set version_after = r.version from restored r
       where c.deal_id = r.id and c.import_run_id <> ${runId} and c.version_after = r.version_before
    ), hidden as (
      update deals d set is_active = false, waits_for_price = false, version = d.version + 1, updated_at = now()
        from judged j where d.id = j.deal_id and j.outcome = 'hidden'
    ), removed as (
      delete from deals d using judged j where d.id = j.deal_id and j.outcome = 'removed'
    ), forgotten as (
      delete from import_changes c using judged j
       where c.import_run_id = ${runId} and c.deal_id = j.deal_id and j.outcome <> 'skipped'
    )
    select j.deal_id, j.outcome, j.external_id, later.run
      from judged j
      left join lateral (
        select max(c.import_run_id) as run from import_changes c
         where j.outcome = 'skipped' and c.deal_id = j.deal_id and c.version_after > j.version_after) later on true
     order by j.deal_id`.execute(tx);
  return rows;
}

interface Undone {
  deal_id: number;
  outcome: keyof RollbackCounts;
  external_id: string | null;
  /** The latest run that changed a skipped deal afterward. */
  run: number | null;
}

const notRolledBack = 'not rolled back: ';

function why(laterRun: number | null): string {
  return laterRun === null
    ? `${notRolledBack}the deal was changed after the import`
    : `${notRolledBack}import ${laterRun} changed the deal later; roll that one back first, then retry`;
}

/** Deletes the notes of an earlier rollback attempt. */
async function forgetNotes(db: Db, runId: number): Promise<void> {
  await db
    .deleteFrom('import_issues')
    .where('import_run_id', '=', runId)
    .where('kind', '=', 'note')
    .where('reason', 'like', `${notRolledBack}%`)
    .execute();
}
