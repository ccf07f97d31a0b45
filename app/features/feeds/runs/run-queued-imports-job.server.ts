import { setTimeout as sleep } from 'node:timers/promises';
import { type Selectable, sql } from 'kysely';
import type { AppServices } from '#app/platform/app-context.server.ts';
import type { Trouble } from '#app/platform/own-process.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { forgetOldRows } from '#database/forget-old-rows.ts';
import type { Database } from '#database/schema.ts';
import { refuseFullDisk } from '../sources/disk-space.server.ts';
import { storedSignIn } from '../sources/feed-sign-in.server.ts';
import {
  feedFilePath,
  mostSourceRows,
  mostUploadRows,
  removeFeedFile,
  removeOldFeedFiles,
  sourceSizeLimits,
  uploadSizeLimits,
} from '../sources/feed-files.server.ts';
import { isOwnHost } from '#app/platform/own-hosts.ts';
import { type FetchedFeed, fetchSource } from '../sources/fetch-source.server.ts';
import {
  type FeedSourceRow,
  findFeedSource,
  pinHostKey,
  updateSource,
} from '../sources/feed-source-queries.server.ts';
import { shopOf } from '../sources/shop-of.ts';
import { mappingFileOf } from '../sources/mapping-files.server.ts';
import type { OtherContent } from './import-other.server.ts';
import { importFeed, type ImportOptions } from './import-feed.server.ts';
import type { ImportReport } from './import-steps.ts';
import { underImportLock } from './import-queries.server.ts';
import {
  closeCrashedRuns,
  finishRun,
  resumeSchedules,
  updateRun,
} from './import-run-queries.server.ts';
import type { FeedSource } from '../sources/open-feed.server.ts';
import { lostImportReasons } from './import-messages.ts';
import { isRollbackAsked, rollBackAsked } from '../review/roll-back-import.server.ts';

type Services = Pick<AppServices, 'db' | 'env' | 'log' | 'now'>;

interface RunOptions {
  allowPrivate?: boolean;
  /** Imports sources of coupons, which the import feature itself does not support. */
  importCoupons?: OtherContent;
}

type Waiting = Selectable<Database['import_runs']>;

/** A run that is queued, has crashed, or is to be rolled back. */
export const areImportsDue = () => sql`
  (select true from import_runs
    where state = 'queued' or (state = 'running' and ${hasNotMoved}) order by id limit 1)
  or (select true from import_runs where ${isRollbackAsked} order by id limit 1)`;

/**
 * Runs requested rollbacks, then queued runs, one after another. Every process tries, but the lock
 * admits only one at a time.
 */
export async function runQueuedImports(
  services: Services,
  signal?: AbortSignal,
  options: RunOptions = {},
): Promise<ImportReport[]> {
  const reports: ImportReport[] = [];
  await closeStaleRuns(services.db);
  await rollBackAsked(services.db, signal);
  for (;;) {
    if (signal?.aborted) break;
    const next = await services.db
      .selectFrom('import_runs')
      .selectAll()
      .where('state', '=', 'queued')
      .orderBy('id')
      .executeTakeFirst();
    if (!next) break;
    const report = await runOne(services, next, signal, options);
    if (report === null) continue;
    if (report.state === 'busy') break;
    reports.push(report);
  }
  return reports;
}

/** A run has crashed if it is "running" but idle for a minute while the lock is free. */
async function closeStaleRuns(db: Db): Promise<void> {
  const silent = await db
    .selectFrom('import_runs')
    .select('id')
    .where('state', '=', 'running')
    .where(hasNotMoved)
    .executeTakeFirst();
  if (silent) await underImportLock(db, (session) => closeCrashedRuns(session));
}

const hasNotMoved = sql<boolean>`beat_at < now() - interval '1 minute'`;

/** Whether an import or rollback is waiting or has crashed, and no process is working on it. */
export async function areImportsWaiting({ db }: Pick<Services, 'db'>): Promise<boolean> {
  const isDue = await ask(db).value<boolean>`select ${areImportsDue()}`;
  return isDue === true && (await underImportLock(db, () => Promise.resolve(true))) === true;
}

/**
 * Ends the run with the reason. A run that was killed from outside is repeated if its source has a
 * schedule. The lock of its process is released with the connection.
 */
export async function noteLostImport(
  { db }: Pick<Services, 'db'>,
  trouble: Trouble,
): Promise<void> {
  for (let patience = 60; patience > 0; patience -= 1) {
    const done = await underImportLock(db, async (session) => {
      const lost = await closeCrashedRuns(session, lostImportReasons[trouble]);
      // Resumes only runs that were killed from outside: a feed that exhausted memory or time would
      // do so again.
      if (trouble === 'died') await resumeSchedules(session, lost);
      return true;
    });
    if (done) return;
    await sleep(1000);
  }
}

async function runOne(
  services: Services,
  run: Waiting,
  signal: AbortSignal | undefined,
  { allowPrivate = false, importCoupons }: RunOptions,
): Promise<ImportReport | null> {
  const { db, env, log } = services;
  const source = run.feed_source_id === null ? null : await findFeedSource(db, run.feed_source_id);
  if (!source) {
    await finishRun(db, run.id, 'failed', 'its source was deleted');
    return null;
  }
  let fetched: FetchedFeed | null = null;
  const feed: FeedSource = {
    name: source.name,
    sizeLimits: source.kind === 'upload' ? uploadSizeLimits : sourceSizeLimits,
    fetch: async (stop) => {
      if (run.file === null) {
        fetched = await fetchSource(source, {
          dataDir: env.dataDir,
          now: services.now(),
          signIn: await storedSignIn(db, source),
          signal: stop,
          isForced: run.started_by !== 'system',
          allowPrivate: allowPrivate || isOwnHost(env, source.location),
        });
        if (fetched === null) return null;
        await pinHostKey(db, source, fetched.hostKey);
      }
      const file = run.file === null ? fetched?.path : feedFilePath(env.dataDir, run.file);
      if (file === undefined) return null;
      await refuseFullDisk(env, file);
      return file;
    },
  };
  try {
    const report = await importFeed(db, feed, {
      ...optionsOf(source, run, signal),
      ...(source.content === 'coupons' && { otherContent: importCoupons ?? refuseCoupons }),
    });
    if (report.state === 'busy') return report;
    await afterRun(services, source, run, report, fetched);
    return report;
  } catch (error) {
    log.error({ err: error, importRun: run.id }, 'import failed');
    return null;
  }
}

const refuseCoupons: OtherContent = () => {
  throw new Error('this process cannot import coupons');
};

function optionsOf(
  source: FeedSourceRow,
  run: Waiting,
  signal: AbortSignal | undefined,
): ImportOptions {
  return {
    merchant: source.merchant,
    format: source.format,
    mapping: source.mapping,
    categoryMapping: source.category_mapping,
    categoryId: source.fallback_category_id,
    place: source.record_path ?? undefined,
    mappingFile: mappingFileOf(source),
    shop: shopOf(source),
    feedCurrency: source.currency,
    decimalMark: source.decimal_mark,
    encoding: source.encoding,
    groupsVariants: source.groups_variants,
    dryRun: run.is_dry_run,
    limit: source.kind === 'upload' ? mostUploadRows : mostSourceRows,
    feedSourceId: source.id,
    endsMissing: source.ends_missing,
    updatesOnly: source.updates_only,
    mayEndMany: run.may_end_many,
    runId: run.id,
    ...(run.started_by !== null && { startedBy: run.started_by }),
    signal,
  };
}

async function afterRun(
  { db, env }: Services,
  source: FeedSourceRow,
  run: Waiting,
  report: ImportReport,
  fetched: FetchedFeed | null,
): Promise<void> {
  const isIn = report.state === 'done' || report.state === 'asking';
  // A dry run keeps the copy it read, since the run itself must use the same feed.
  if (run.is_dry_run && isIn && fetched?.copy) {
    await updateRun(db, run.id, { file: fetched.copy });
    return;
  }
  if (fetched?.copy) await removeFeedFile(env.dataDir, fetched.copy);
  if (run.is_dry_run) return;
  if (report.state === 'interrupted') await resumeSchedules(db, [run.id]);
  if (run.file !== null && isIn) await removeFeedFile(env.dataDir, run.file);
  const marks = isIn ? fetched?.marks : {};
  await updateSource(db, source.id, { ...marks, last_run_at: sql<Date>`now()` });
}

export async function forgetOldImports(
  { db, env, now }: Services,
  signal?: AbortSignal,
): Promise<void> {
  await forgetOldRows(db, 'forget-old-imports', signal);
  await removeOldFeedFiles(env.dataDir, 7, now());
}
