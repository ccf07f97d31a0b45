import type { Db } from '#database/connect.ts';
import { makeNewCategories } from './assign-categories.server.ts';
import { type ImportStep, type ImportSteps, mostIssues } from './import-steps.ts';
import { listOtherProducts } from './import-plan-queries.server.ts';
import {
  describeDraft,
  describeHeld,
  describeOther,
  type ImportPlan,
} from './plan-import.server.ts';
import {
  askAboutProducts,
  endReplaced,
  renameProducts,
  settleProducts,
} from './replace-products.server.ts';
import {
  claimDeals,
  confirmPrices,
  dropRefutedEndings,
  endWaitingDeals,
  storeEndings,
  listStillHeld,
  type PlanPart,
  type PlanTarget,
  signWithRun,
  writeBatch,
} from './write-plan-queries.server.ts';

const notedAtOnce = 5_000;

/**
 * Executes the plan: first the rows that change something. Then it records the others in larger
 * batches, which take almost no time.
 */
export async function* writePlan(
  db: Db,
  plan: ImportPlan,
  target: PlanTarget,
  batchSize: number,
): ImportSteps {
  yield { merchantId: target.merchantId };
  yield { write: async (tx) => (await makeNewCategories(tx), {}) };
  yield { phase: 'writing', rowsToWrite: plan.writes };
  for (let from = 0; from < plan.rows;) {
    const isWriting = from < plan.writes;
    const after = from;
    const upTo = isWriting
      ? Math.min(plan.writes, from + batchSize)
      : Math.min(plan.rows, from + notedAtOnce);
    yield {
      write: async (tx) => {
        await signWithRun(tx, target.runId);
        const part = { after, upTo };
        const step = await (isWriting ? writeRows : noteRows)(tx, part, target);
        if (isWriting && plan.renamed > 0) await renameProducts(tx, part, target);
        return { ...step, rowsDone: upTo, mayStop: upTo < plan.rows };
      },
    };
    from = upTo;
  }
  const stillHeld = await listStillHeld(db, mostIssues);
  const others = await listOtherProducts(db, mostIssues);
  const held = stillHeld.map((row) => describeHeld(row, target.currency));
  yield { issues: [...held, ...others.map(describeOther)] };
}

async function writeRows(tx: Db, part: PlanPart, target: PlanTarget): Promise<ImportStep> {
  await settleProducts(tx, part);
  const ended = await endReplaced(tx, part, target);
  const { created, changed, drafts, held } = await writeBatch(tx, part, target);
  return {
    counts: { new: created, changed, held: held.length + drafts.length, ended },
    issues: [
      ...held.map((row) => describeHeld(row, target.currency)),
      ...drafts.map(describeDraft),
    ],
  };
}

async function noteRows(tx: Db, part: PlanPart, target: PlanTarget): Promise<ImportStep> {
  const { sourceId } = target;
  await settleProducts(tx, part);
  await askAboutProducts(tx, part, target);
  const { unchanged, stillHeld } = await confirmPrices(tx, part);
  if (sourceId !== null) await claimDeals(tx, part, sourceId);
  return { counts: { unchanged, held: stillHeld } };
}

/** Ends deals that are missing from the source, or asks first if there are too many. */
export async function* endMissing(
  plan: ImportPlan,
  { runId, sourceId }: PlanTarget,
  options: { endsMissing: boolean; mayEndMany: boolean; batchSize: number },
): ImportSteps {
  if (sourceId === null) return;
  yield { write: async (tx) => (await dropRefutedEndings(tx, sourceId), {}) };
  if (!options.endsMissing || plan.ending === 0) return;
  yield { phase: 'ending' };
  const mustAsk = plan.endsMany && !options.mayEndMany;
  let waiting = 0;
  yield {
    write: async (tx) => {
      waiting = await storeEndings(tx, runId, sourceId);
      return mustAsk ? { state: 'asking' } : {};
    },
  };
  if (mustAsk) return;
  for (; waiting > 0; waiting -= options.batchSize) {
    yield {
      write: async (tx) => {
        const { ended } = await endWaitingDeals(tx, runId, options.batchSize);
        return { counts: { ended } };
      },
    };
  }
}
