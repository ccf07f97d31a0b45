import { sql } from 'kysely';
import { writeAudit } from '#app/platform/audit/audit.server.ts';
import type { Db } from '#database/connect.ts';
import { underImportLock } from '../runs/import-queries.server.ts';
import { updateRun } from '../runs/import-run-queries.server.ts';
import { retryConflicts } from '../runs/retry-conflicts.server.ts';
import { endWaitingDeals } from '../runs/write-plan-queries.server.ts';

type EndingsAnswer = { ok: true; ended: number } | { ok: false; reason: 'not-asking' | 'busy' };

const batchSize = 500;

/** Decides whether a run may end more than 30% of its source's deals. */
export async function answerEndings(
  db: Db,
  actor: string,
  runId: number,
  shallEnd: boolean,
): Promise<EndingsAnswer> {
  const answer = await underImportLock(db, async (session): Promise<EndingsAnswer> => {
    const run = await session
      .selectFrom('import_runs')
      .select('state')
      .where('id', '=', runId)
      .where('is_dry_run', '=', false)
      .executeTakeFirst();
    if (run?.state !== 'asking') return { ok: false, reason: 'not-asking' };
    const ended = shallEnd ? await endAll(session, runId) : 0;
    await session.transaction().execute(async (tx) => {
      await tx.deleteFrom('import_endings').where('import_run_id', '=', runId).execute();
      await updateRun(tx, runId, { state: 'done' });
      await writeAudit(tx, {
        actor,
        action: shallEnd ? 'import.end-missing' : 'import.keep-missing',
        entity: 'import',
        entityId: runId,
        after: { ended },
      });
    });
    return { ok: true, ended };
  });
  return answer ?? { ok: false, reason: 'busy' };
}

async function endAll(db: Db, runId: number): Promise<number> {
  let all = 0;
  for (;;) {
    const { taken, ended } = await retryConflicts(() =>
      db.transaction().execute(async (tx) => {
        const outcome = await endWaitingDeals(tx, runId, batchSize);
        await updateRun(tx, runId, { rows_ended: sql`rows_ended + ${outcome.ended}` });
        return outcome;
      }),
    );
    if (taken === 0) return all;
    all += ended;
  }
}
