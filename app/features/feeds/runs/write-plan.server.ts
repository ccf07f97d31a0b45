import type { Db } from '#database/connect.ts';
import { makeNewCategories } from './assign-categories.server.ts';
import { type ImportStep, type ImportSteps, mostIssues } from './import-steps.ts';
import { describeHeld, type ImportPlan } from './plan-import.server.ts';
import {
  claimDeals,
  confirmPrices,
  dropRefutedEndings,
  endWaitingDeals,
  keepEndings,
  listStillHeld,
  type PlanTarget,
  signWithRun,
  writeBatch,
} from './write-plan-queries.server.ts';

const notedAtOnce = 5_000;

/**
 * Does what the plan says: first the rows that write something, then a note of those that do not, in larger batches:
 * they cost next to nothing.
 */
export async function* writePlan(
  db: Db,
  plan: ImportPlan,
  target: PlanTarget,
  batchSize: number,
): ImportSteps {
  yield { merchantId: target.merchantId };
  yield { write: async (tx) => (await makeNewCategories(tx), {}) };
  yield { phase: 'writing' };
  for (let from = 0; from < plan.rows;) {
    const isWriting = from < plan.writes;
    const after = from;
    const upTo = Math.min(
      isWriting ? plan.writes : plan.rows,
      from + (isWriting ? batchSize : notedAtOnce),
    );
    yield {
      write: async (tx) => {
        await signWithRun(tx, target.runId);
        const step = await (isWriting ? writeRows : noteRows)(tx, after, upTo, target);
        return { ...step, rowsDone: upTo, mayStop: upTo < plan.rows };
      },
    };
    from = upTo;
  }
  yield { issues: (await listStillHeld(db, mostIssues)).map(describeHeld) };
}

async function writeRows(
  tx: Db,
  after: number,
  upTo: number,
  target: PlanTarget,
): Promise<ImportStep> {
  const { created, changed, held } = await writeBatch(tx, after, upTo, target);
  return {
    counts: { new: created, changed, held: held.length },
    issues: held.map(describeHeld),
  };
}

async function noteRows(
  tx: Db,
  after: number,
  upTo: number,
  target: PlanTarget,
): Promise<ImportStep> {
  const same = await confirmPrices(tx, after, upTo);
  if (target.sourceId !== null) await claimDeals(tx, after, upTo, target.sourceId);
  return { counts: { unchanged: same.unchanged, held: same.stillHeld } };
}

/** Ends what the source no longer names, or asks first where that is very much. */
export async function* endMissing(
  plan: ImportPlan,
  { runId, sourceId }: PlanTarget,
  options: { endsMissing: boolean; mayEndMany: boolean; batchSize: number },
): ImportSteps {
  if (sourceId === null) return;
  yield { write: async (tx) => (await dropRefutedEndings(tx, sourceId), {}) };
  if (!options.endsMissing || plan.ending === 0) return;
  yield { phase: 'ending' };
  let waiting = 0;
  yield {
    write: async (tx) => {
      waiting = await keepEndings(tx, runId, sourceId);
      return plan.endsMany && !options.mayEndMany ? { state: 'asking' } : {};
    },
  };
  if (plan.endsMany && !options.mayEndMany) return;
  for (; waiting > 0; waiting -= options.batchSize) {
    yield {
      write: async (tx) => ({
        counts: { ended: (await endWaitingDeals(tx, runId, options.batchSize)).ended },
      }),
    };
  }
}
