import { writeAudit } from '#app/platform/audit/audit.server.ts';
import { SafeFetchError } from '#app/platform/safe-fetch.server.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { FeedError } from '../formats/feed-error.ts';
import {
  allowLongStatements,
  findMerchantId,
  insertMerchant,
  refreshDealStatistics,
  underImportLock,
} from './import-queries.server.ts';
import { runCurrency } from './import-plan-queries.server.ts';
import {
  claimRun,
  closeCrashedRuns,
  finishRun,
  startRun,
  updateRun,
} from './import-run-queries.server.ts';
import { importOther, type OtherContent } from './import-other.server.ts';
import {
  type ImportProgress,
  type ImportReport,
  type ImportSoFar,
  type ImportSteps,
  nothingSoFar,
} from './import-steps.ts';
import { type FeedSource, nameFeedSource } from '../sources/open-feed.server.ts';
import { completeSupplement, supplementNote } from './complete-supplement.server.ts';
import { planImport, previewPlan } from './plan-import.server.ts';
import { previewCards } from './preview-cards.server.ts';
import { type ReadOptions, readSource } from './read-source.server.ts';
import { stageFeed, type StageOptions } from './stage-feed.server.ts';
import { createStage, dropStage } from './stage-rows.server.ts';
import { type ImportListeners, takeStep } from './store-progress.server.ts';
import { endMissing, writePlan } from './write-plan.server.ts';
import type { PlanTarget } from './write-plan-queries.server.ts';

export interface ImportOptions extends ReadOptions, StageOptions {
  /** The importer of a source that contains no products. */
  otherContent?: OtherContent | undefined;
  /** The merchant's name. An unknown merchant is created. */
  merchant: string;
  /** Whether to preview the changes without making any. */
  dryRun?: boolean;
  batchSize?: number;
  startedBy?: string;
  /** The source whose deals end when the feed no longer lists them. */
  feedSourceId?: number;
  endsMissing?: boolean;
  /** Whether staff agreed to end more than 30% of the source's deals. */
  mayEndMany?: boolean;
  /** The id of a run that was queued before it started. */
  runId?: number;
}

const manyNew = 500;

/**
 * Imports a product feed. The whole feed is first read and validated into session tables. Rows are
 * then written in batches, each in a transaction with the run's counts. An unreadable feed
 * therefore changes nothing, and all changes are known in advance. An import may be stopped,
 * killed and run again at any point. Read errors are returned as the report's `error`, not thrown.
 */
export async function importFeed(
  db: Db,
  source: FeedSource,
  options: ImportOptions,
  onProgress: (progress: ImportProgress) => void = () => {},
): Promise<ImportReport> {
  const merchant = options.merchant.normalize('NFC').trim();
  const { runId = null } = options;
  const busy = (error: string) => reportOf(runId, { ...nothingSoFar(0), error }, 'busy');
  // Everything runs in one session, which owns the lock and the staging tables.
  const report = await underImportLock(db, async (session) => {
    await closeCrashedRuns(session);
    await allowLongStatements(session);
    return runId !== null && !(await claimRun(session, runId))
      ? busy('another process has already taken this run')
      : runImport(session, source, { ...options, merchant }, onProgress);
  });
  return report ?? busy('another import is running');
}

async function runImport(
  db: Db,
  source: FeedSource,
  options: ImportOptions,
  onProgress: (progress: ImportProgress) => void,
): Promise<ImportReport> {
  const merchantId = await findMerchantId(db, options.merchant);
  let runId = options.runId ?? null;
  if (runId === null && !options.dryRun) runId = await begin(db, source, options, merchantId);
  let end: ImportSoFar;
  try {
    const steps = importSteps(db, source, options, runId ?? 0, merchantId);
    end = await takeSteps(db, steps, { runId, onProgress }, options.signal);
  } catch (error) {
    const words = 'the import stopped because of an error in the program or the database';
    if (runId !== null) await finishRun(db, runId, 'failed', words).catch(() => {});
    throw error;
  }
  await dropStage(db);
  if (runId !== null) await finishRun(db, runId, end.state, end.error);
  if (!options.dryRun && end.counts.new >= manyNew) {
    await refreshDealStatistics(db).catch(() => {}); // Without statistics, queries are only slower.
  }
  return reportOf(runId, end);
}

/** Records a run that was not queued, in the name of the user who started it. */
function begin(db: Db, source: FeedSource, options: ImportOptions, merchantId: number | null) {
  return db.transaction().execute(async (tx) => {
    const { format = 'auto', feedSourceId = null, startedBy: actor = null, merchant } = options;
    const entityId = await startRun(tx, {
      merchant_id: merchantId,
      feed_source_id: feedSourceId,
      source_name: nameFeedSource(source),
      format,
      started_by: actor,
    });
    const act = { action: 'import.start', entity: 'import', entityId, after: { merchant } };
    if (actor !== null) await writeAudit(tx, { actor, ...act });
    return entityId;
  });
}

/** Yields the parts of an import: read, stage, plan, write, end. */
async function* importSteps(
  db: Db,
  source: FeedSource,
  options: ImportOptions,
  runId: number,
  merchantId: number | null,
): ImportSteps {
  const { feedSourceId: sourceId = null, endsMissing = false, mayEndMany = false } = options;
  const { batchSize = 500 } = options;
  if (options.otherContent && sourceId !== null) {
    const { merchant, encoding, signal, dryRun = false, startedBy: actor = 'system' } = options;
    const told = { sourceId, merchant, endsMissing, encoding, dryRun, actor, signal };
    return yield* importOther(db, source, options.otherContent, { ...told, now: new Date() });
  }
  await createStage(db);
  const feed = yield* readSource(source, options);
  if (feed === null) return yield { state: 'unchanged' };
  const updatesOnly = (options.updatesOnly ?? false) || feed.isSupplement;
  try {
    yield* stageFeed(db, feed, { ...options, updatesOnly });
  } finally {
    feed.close();
  }
  const currency = (await ask(db).value<string>`select ${runCurrency}`) ?? '';
  await updateRun(db, runId, { currency });
  if (feed.isSupplement) yield { issues: [supplementNote] };
  if (updatesOnly) yield* completeSupplement(db, merchantId);
  const ending = endsMissing && !updatesOnly ? sourceId : null;
  const plan = yield* planImport(db, merchantId, ending, updatesOnly);
  const place: Omit<PlanTarget, 'merchantId'> = {
    currency,
    runId,
    priceSource: !('file' in source) || sourceId !== null ? 'feed' : 'import',
    // The deals continue to belong to the source that lists them.
    sourceId: updatesOnly ? null : sourceId,
    updatesOnly,
  };
  if (options.dryRun) {
    yield await previewPlan(db, plan);
    // Only a recorded run can be stopped.
    if (runId === 0) return;
    const { merchant } = options;
    yield { dryRun: await previewCards(db, plan, { ...place, merchantId, merchant }, ending) };
    return;
  }
  // There is nothing to update, and no reason to create the merchant.
  if (updatesOnly && merchantId === null) return;
  const target: PlanTarget = {
    ...place,
    merchantId: merchantId ?? (await insertMerchant(db, options.merchant)),
  };
  yield* writePlan(db, plan, target, batchSize);
  yield* endMissing(plan, target, { endsMissing, mayEndMany, batchSize });
}

/**
 * Runs the steps until they are complete, the feed cannot be read any further, or a requested stop
 * is possible.
 */
async function takeSteps(
  db: Db,
  steps: ImportSteps,
  listeners: ImportListeners,
  signal: AbortSignal | undefined,
): Promise<ImportSoFar> {
  let soFar = nothingSoFar(performance.now());
  try {
    for await (const step of steps) {
      soFar = await takeStep(db, listeners, soFar, step);
      if (soFar.mayStop && signal?.aborted) return { ...soFar, state: 'interrupted' };
      if (soFar.mayStop && soFar.isCancelled) return { ...soFar, state: 'cancelled' };
    }
    return soFar;
  } catch (error) {
    if (signal?.aborted) return { ...soFar, state: 'interrupted' };
    if (!(error instanceof FeedError || error instanceof SafeFetchError)) throw error;
    return { ...soFar, state: 'failed', error: error.message };
  }
}

function reportOf(
  runId: number | null,
  soFar: ImportSoFar,
  state: ImportReport['state'] = soFar.state,
): ImportReport {
  const { error, format, encoding, counts, issues, issueCount, fieldChanges } = soFar;
  const report = { runId, state, format, encoding, counts, issues, issueCount, error };
  return fieldChanges ? { ...report, fieldChanges } : report;
}
