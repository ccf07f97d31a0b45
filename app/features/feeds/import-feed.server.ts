import type { Db, Tx } from '#database/connect.ts';
import { checkFeedRow } from './check-feed-row.ts';
import type { FeedSizeLimits } from './decode-feed.server.ts';
import { FeedError } from './feed-error.ts';
import type { FeedMapping } from './feed-fields.ts';
import {
  createSeenTable,
  dropSeenTable,
  findMerchantId,
  insertMerchant,
  lockMerchantImport,
  refreshDealStatistics,
  unlockMerchantImport,
} from './import-queries.server.ts';
import {
  closeCrashedRuns,
  finishRun,
  type ImportCounts,
  type ImportIssue,
  startRun,
} from './import-run-queries.server.ts';
import {
  defaultSizeLimits,
  type FeedSource,
  nameFeedSource,
  type OpenedFeed,
  openFeed,
} from './open-feed.server.ts';
import { type FeedFormat, type OpenFeed, readFeed } from './read-feed.server.ts';
import {
  addToBatch,
  type ImportTarget,
  newBatch,
  writeImportBatch,
} from './write-import-batch.server.ts';

export interface ImportOptions {
  /** Found by name, or made. */
  merchant: string;
  format?: FeedFormat | 'auto';
  mapping?: FeedMapping;
  /** Where a row goes whose category is none of ours; without it such a category is made. */
  category?: string;
  /** The site's currency (default USD). */
  currency?: string;
  /** Do everything and keep nothing. */
  dryRun?: boolean;
  /** Most rows of one feed (default 50,000). */
  limit?: number;
  sizeLimits?: FeedSizeLimits;
  batchSize?: number;
  /** Ends the import after the batch at hand. */
  signal?: AbortSignal;
  startedBy?: string;
  feedSourceId?: number;
  now?: () => Date;
  /** Runs in each batch's transaction with the deals it made or changed: where price alerts fire. */
  afterBatch?: (tx: Tx, dealIds: number[]) => Promise<void>;
}

export interface ImportReport {
  runId: number | null;
  /** `failed`: the feed could not be read (to its end); what came whole is in. `busy`: another import has this merchant. */
  state: 'done' | 'failed' | 'interrupted' | 'busy';
  format: FeedFormat | null;
  encoding: string | null;
  counts: ImportCounts;
  /** The first thousand. */
  issues: ImportIssue[];
  issueCount: number;
  error: string | null;
}

export interface ImportProgress {
  rows: number;
  bytesRead: number;
  bytesTotal: number | null;
}

const defaultLimit = 50_000;
const defaultBatch = 500;
const manyNew = 500;

/**
 * Brings a product feed in: rows are read as a stream, judged one by one and written in batches, each in a
 * transaction of its own together with the run's figures, so an import may be stopped, killed and run again at any
 * point. What cannot be read is the report's `error`, not an exception.
 */
export async function importFeed(
  db: Db,
  source: FeedSource,
  options: ImportOptions,
  onProgress: (progress: ImportProgress) => void = () => {},
): Promise<ImportReport> {
  const merchant = options.merchant.normalize('NFC').trim();
  const report: ImportReport = {
    runId: null,
    state: 'done',
    format: null,
    encoding: null,
    counts: { read: 0, new: 0, changed: 0, unchanged: 0, held: 0, rejected: 0 },
    issues: [],
    issueCount: 0,
    error: null,
  };
  // One session for all of it: the lock and the table of seen ids live there.
  return db.connection().execute(async (session) => {
    if (!(await lockMerchantImport(session, merchant))) {
      return { ...report, state: 'busy', error: `another import for ${merchant} is running` };
    }
    try {
      await runImport(session, source, { ...options, merchant }, report, onProgress);
      return report;
    } finally {
      // A session that was lost has lost its lock too; that must not hide what went wrong before.
      await unlockMerchantImport(session, merchant).catch(() => {});
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
  const knownMerchant = await findMerchantId(db, options.merchant);
  if (knownMerchant !== null && !options.dryRun) await closeCrashedRuns(db, knownMerchant);
  const sizeLimits = options.sizeLimits ?? defaultSizeLimits['file' in source ? 'file' : 'url'];
  const startRunFor = async (merchantId: number | null) => {
    if (options.dryRun) return;
    report.runId = await startRun(db, {
      merchant_id: merchantId,
      feed_source_id: options.feedSourceId ?? null,
      source_name: nameFeedSource(source),
      format: report.format ?? options.format ?? 'auto',
      started_by: options.startedBy ?? null,
    });
  };
  let bytesRead = 0;
  let opened: OpenedFeed | null = null;
  try {
    opened = await openFeed(source, sizeLimits, options.signal);
    const { chunks, size: bytesTotal } = opened;
    const counted = countBytes(chunks, (bytes) => {
      bytesRead += bytes;
    });
    const feed = await readFeed(counted, { ...options, sizeLimits });
    report.format = feed.format;
    report.encoding = feed.encoding;
    const merchantId = options.dryRun
      ? null
      : (knownMerchant ?? (await insertMerchant(db, options.merchant)));
    await startRunFor(merchantId);
    const target: ImportTarget = {
      merchant: options.merchant,
      merchantId,
      priceSource: 'url' in source || options.feedSourceId !== undefined ? 'feed' : 'import',
      category: options.category,
      afterBatch: options.afterBatch,
    };
    const isWhole = await importRows(db, feed, options, target, report, () =>
      onProgress({ rows: report.counts.read, bytesRead, bytesTotal }),
    );
    if (!isWhole) report.state = 'interrupted';
  } catch (error) {
    report.state = options.signal?.aborted ? 'interrupted' : 'failed';
    report.error =
      error instanceof FeedError
        ? error.message
        : 'the import stopped at an error of the program or the database';
    if (!(error instanceof FeedError)) {
      await endRun(db, report).catch(() => {});
      throw error;
    }
    if (report.runId === null) await startRunFor(knownMerchant);
  } finally {
    opened?.close();
  }
  await endRun(db, report);
  if (report.runId !== null && report.counts.new >= manyNew) {
    await refreshDealStatistics(db).catch(() => {}); // only a matter of speed
  }
}

async function* countBytes(
  chunks: AsyncIterable<Uint8Array>,
  count: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    count(chunk.byteLength);
    yield chunk;
  }
}

async function endRun(db: Db, report: ImportReport): Promise<void> {
  if (report.runId === null || report.state === 'busy') return;
  await finishRun(db, report.runId, report.state, report.error);
}

/** True when the feed came to its end, false when it was stopped before. */
async function importRows(
  db: Db,
  feed: OpenFeed,
  options: ImportOptions,
  target: ImportTarget,
  report: ImportReport,
  onBatch: () => void,
): Promise<boolean> {
  await createSeenTable(db);
  const size = options.batchSize ?? defaultBatch;
  const limit = options.limit ?? defaultLimit;
  let batch = newBatch();
  const flush = async () => {
    await writeImportBatch(db, batch, target, report);
    batch = newBatch();
    onBatch();
  };
  const rules = {
    currency: (options.currency ?? 'USD').toUpperCase(),
    now: (options.now ?? (() => new Date()))(),
    hasFallbackCategory: options.category !== undefined,
  };
  let failure: unknown;
  try {
    for await (const read of feed.rows) {
      if (report.counts.read + batch.read >= limit) {
        throw new FeedError(
          `the feed has more than ${limit.toLocaleString('en-US')} rows; --limit raises this`,
        );
      }
      addToBatch(batch, checkFeedRow(read, rules), read.line);
      if (batch.read < size) continue;
      await flush();
      if (options.signal?.aborted) {
        await dropSeenTable(db);
        return false;
      }
    }
  } catch (error) {
    if (!(error instanceof FeedError)) throw error;
    failure = error;
  }
  // Before an early end of the feed, too: what came whole is in.
  if (batch.read > 0) await flush();
  await dropSeenTable(db);
  if (failure) throw failure;
  return true;
}
