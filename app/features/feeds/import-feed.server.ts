import { type Db, sessionsOf } from '#database/connect.ts';
import type { DecimalMark, ImportState } from '#database/schema/feed-tables.ts';
import type { FeedSizeLimits } from './decode-feed.server.ts';
import { FeedError } from './feed-error.ts';
import type { FeedFormat, FeedMapping } from './feed-fields.ts';
import {
  findMerchantId,
  insertMerchant,
  lockImports,
  refreshDealStatistics,
  unlockImports,
} from './import-queries.server.ts';
import {
  claimRun,
  closeCrashedRuns,
  finishRun,
  type ImportCounts,
  type ImportIssue,
  saveRunFacts,
  startRun,
} from './import-run-queries.server.ts';
import { ImportProgressNotes, type ImportProgress } from './import-progress.server.ts';
import {
  defaultSizeLimits,
  type FeedSource,
  nameFeedSource,
  openFeed,
} from './open-feed.server.ts';
import { readFeed } from './read-feed.server.ts';
import { readIntoStage } from './read-into-stage.server.ts';
import { runPlan } from './run-plan.server.ts';
import { createStage, dropStage } from './stage-rows.server.ts';

export interface ImportOptions {
  /** Found by name, or made. */
  merchant: string;
  format?: FeedFormat | 'auto';
  mapping?: FeedMapping;
  /** The feed's own names of categories, as `A > B`, and our category for each. */
  categoryMapping?: Record<string, number>;
  /** Where a row goes whose category is none of ours; without it such a category is made. */
  category?: string;
  categoryId?: number | null;
  /** The site's currency (default USD). */
  currency?: string;
  /** Of values that name none; the site's unless given. */
  feedCurrency?: string | null;
  decimalMark?: DecimalMark;
  /** One deal per `item_group_id` (default). */
  groupsVariants?: boolean;
  /** Say what would happen and change nothing. */
  dryRun?: boolean;
  /** Most rows of one feed (default 50,000). */
  limit?: number;
  sizeLimits?: FeedSizeLimits;
  batchSize?: number;
  /** Ends the import after the batch at hand. */
  signal?: AbortSignal;
  startedBy?: string;
  /** The source whose deals end when the feed no longer names them. */
  feedSourceId?: number;
  endsMissing?: boolean;
  /** Somebody has agreed to end more than 30 % of the source's deals. */
  mayEndMany?: boolean;
  /** A run that was written down before it began. */
  runId?: number;
  now?: () => Date;
}

export interface ImportReport {
  runId: number | null;
  /**
   * `failed`: the feed could not be read to its end, and nothing was changed. `asking`: all is in, but ending what the
   * feed no longer names would end more than 30 %. `unchanged`: the sender says that the feed is the last one. `busy`: another import is running.
   */
  state:
    | Extract<ImportState, 'done' | 'asking' | 'unchanged' | 'failed' | 'interrupted' | 'cancelled'>
    | 'busy';
  format: FeedFormat | null;
  encoding: string | null;
  counts: ImportCounts;
  /** The first thousand. */
  issues: ImportIssue[];
  issueCount: number;
  error: string | null;
}

const manyNew = 500;

/**
 * Brings a product feed in. The whole feed is read and judged first, into tables of this session; only then rows are
 * written in batches, each in a transaction of its own together with the run's figures. So a feed that cannot be read
 * changes nothing, what a run will do is known before it does it, and an import may be stopped, killed and run again
 * at any point. What cannot be read is the report's `error`, not an exception.
 */
export async function importFeed(
  db: Db,
  source: FeedSource,
  options: ImportOptions,
  onProgress: (progress: ImportProgress) => void = () => {},
): Promise<ImportReport> {
  const merchant = options.merchant.normalize('NFC').trim();
  const report: ImportReport = {
    runId: options.runId ?? null,
    state: 'done',
    format: null,
    encoding: null,
    counts: {
      read: 0,
      new: 0,
      changed: 0,
      unchanged: 0,
      held: 0,
      rejected: 0,
      ended: 0,
      folded: 0,
    },
    issues: [],
    issueCount: 0,
    error: null,
  };
  // One session for all of it: the lock and the stage live there.
  return sessionsOf(db)
    .connection()
    .execute(async (session) => {
      if (!(await lockImports(session))) {
        return { ...report, state: 'busy', error: 'another import is running' };
      }
      try {
        await closeCrashedRuns(session);
        if (options.runId !== undefined && !(await claimRun(session, options.runId))) {
          return { ...report, state: 'busy', error: 'somebody else has taken this run' };
        }
        await runImport(session, source, { ...options, merchant }, report, onProgress);
        return report;
      } finally {
        // A session that was lost has lost its lock too; that must not hide what went wrong before.
        await unlockImports(session).catch(() => {});
      }
    });
}

async function runImport(
  db: Db,
  source: FeedSource,
  options: ImportOptions,
  report: ImportReport,
  onProgress: (progress: ImportProgress) => void,
): Promise<void> {
  const keepsRun = !options.dryRun || options.runId !== undefined;
  const merchantId = await findMerchantId(db, options.merchant);
  if (keepsRun && report.runId === null) {
    report.runId = await startRun(db, {
      merchant_id: merchantId,
      feed_source_id: options.feedSourceId ?? null,
      source_name: nameFeedSource(source),
      format: options.format ?? 'auto',
      started_by: options.startedBy ?? null,
    });
  }
  const notes = new ImportProgressNotes(db, report, options.signal, onProgress);
  try {
    await createStage(db);
    if (!(await readSource(db, source, options, report, notes))) {
      report.state = 'unchanged';
      await endRun(db, report, notes);
      return;
    }
    await runPlan(db, options, report, notes, {
      merchantId,
      makeMerchant: () => insertMerchant(db, options.merchant),
      priceSource: !('file' in source) || options.feedSourceId !== undefined ? 'feed' : 'import',
    });
  } catch (error) {
    if (!notes.takeStop(error)) {
      report.state = 'failed';
      report.error =
        error instanceof FeedError
          ? error.message
          : 'the import stopped at an error of the program or the database';
    }
    if (report.state === 'failed' && !(error instanceof FeedError)) {
      if (report.runId !== null) {
        await finishRun(db, report.runId, 'failed', report.error).catch(() => {});
      }
      throw error;
    }
  }
  await dropStage(db);
  await endRun(db, report, notes);
  if (!options.dryRun && report.counts.new >= manyNew) {
    await refreshDealStatistics(db).catch(() => {}); // only a matter of speed
  }
}

async function readSource(
  db: Db,
  source: FeedSource,
  options: ImportOptions,
  report: ImportReport,
  notes: ImportProgressNotes,
): Promise<boolean> {
  let found: Exclude<FeedSource, { name: string }>;
  let sizeLimits = options.sizeLimits;
  if ('fetch' in source) {
    await notes.begin('fetching');
    const file = await source.fetch(options.signal);
    if (file === null) return false;
    found = { file };
    sizeLimits ??= source.sizeLimits;
  } else {
    found = source;
  }
  sizeLimits ??= defaultSizeLimits['file' in found ? 'file' : 'url'];
  await notes.begin('reading');
  const opened = await openFeed(found, sizeLimits, options.signal);
  try {
    notes.bytesTotal = opened.size;
    const feed = await readFeed(notes.countBytes(opened.chunks), { ...options, sizeLimits });
    report.format = feed.format;
    report.encoding = feed.encoding;
    if (report.runId !== null) await saveRunFacts(db, report.runId, { format: feed.format });
    await readIntoStage(db, feed, options, report, notes);
  } finally {
    opened.close();
  }
  return true;
}

async function endRun(db: Db, report: ImportReport, notes: ImportProgressNotes): Promise<void> {
  if (report.runId === null || report.state === 'busy') return;
  await notes.save();
  await finishRun(db, report.runId, report.state, report.error);
}
