import os from 'node:os';
import { type Selectable, sql } from 'kysely';
import type { AppServices } from '#app/platform/app-context.server.ts';
import type { CheckResult } from '#app/platform/check-result.ts';
import { timeAgo } from '#app/platform/time-words.ts';
import type { Db } from '#database/connect.ts';
import type { Database } from '#database/schema.ts';

const reportedEveryMs = 30_000;
const silentAfterMs = 2 * 60_000;

/**
 * Announces this process to all others until it is stopped. After a restart in the same place, it
 * counts as the same process.
 */
export async function reportProcess(
  { db, env, log }: Pick<AppServices, 'db' | 'env' | 'log'>,
  version: string,
): Promise<{ stop(): Promise<void> }> {
  const place = { host: os.hostname(), port: env.port };
  const startedAt = new Date();
  const report = async () => {
    const known = { role: env.role, version, started_at: startedAt, seen_at: new Date() };
    await db
      .insertInto('site_processes')
      .values({ ...place, ...known })
      .onConflict((row) => row.columns(['host', 'port']).doUpdateSet(known))
      .execute();
  };
  // Failures are ignored: nothing depends on the report, and without a database other log lines
  // show the problem.
  const tryToReport = () =>
    report().catch((error: unknown) => log.debug({ err: error }, 'not told'));
  await tryToReport();
  const telling = setInterval(() => void tryToReport(), reportedEveryMs).unref();
  return {
    async stop() {
      clearInterval(telling);
      const own = db
        .deleteFrom('site_processes')
        .where('host', '=', place.host)
        .where('port', '=', place.port)
        .where('started_at', '=', startedAt);
      await own.execute().catch(() => {});
    },
  };
}

export type SiteProcess = Pick<
  Selectable<Database['site_processes']>,
  'host' | 'port' | 'role' | 'version' | 'seen_at'
>;

/** Lists processes that reported within the last day. */
export function listSiteProcesses(db: Db): Promise<SiteProcess[]> {
  return db
    .selectFrom('site_processes')
    .select(['host', 'port', 'role', 'version', 'seen_at'])
    .orderBy('role')
    .orderBy('host')
    .orderBy('port')
    .execute();
}

/**
 * Lists processes that reported within the last two minutes. A database from before such reports
 * has no processes.
 */
export async function listRunningProcesses(db: Db, now: Date): Promise<SiteProcess[]> {
  const { rows } = await sql<{ isReported: boolean }>`
    select to_regclass('site_processes') is not null as "isReported"`.execute(db);
  if (!rows[0]?.isReported) return [];
  return (await listSiteProcesses(db)).filter((one) => !isSilent(one, now));
}

function isSilent({ seen_at }: SiteProcess, now: Date): boolean {
  return now.getTime() - seen_at.getTime() > silentAfterMs;
}

/** Describes the roles of the processes, and problems of the site as a whole. */
export function examineProcesses(
  processes: readonly SiteProcess[],
  now: Date,
): Pick<CheckResult, 'state' | 'detail' | 'fix'> {
  const [silent, heard] = [true, false].map((isMeant) =>
    processes.filter((one) => isSilent(one, now) === isMeant),
  ) as [SiteProcess[], SiteProcess[]];
  const detail = describe(heard);
  const lost = silent[0];
  if (lost) {
    return {
      state: 'problem',
      detail: `${detail}; ${lost.host}:${lost.port} (${lost.role}) does not respond, last seen ${timeAgo(lost.seen_at, now)}`,
      fix: 'Start it again. If it was removed on purpose, it disappears after a day.',
    };
  }
  if (heard.length > 0 && heard.every(({ role }) => role === 'web')) {
    const fix =
      'Start a process with ROLE=worker: until then no emails are sent, and no feeds are read.';
    return { state: 'problem', detail: `${detail}; none runs the jobs`, fix };
  }
  if (new Set(heard.map(({ version }) => version)).size > 1) {
    return { state: 'warning', detail, fix: 'Run the same version on all of them.' };
  }
  return { state: 'ok', detail };
}

/** Returns a text such as `2 web of version 1.0.0, 1 worker of version 1.0.0`. */
function describe(processes: readonly SiteProcess[]): string {
  const kinds = Map.groupBy(processes, ({ role, version }) => {
    const does = role === 'all' ? 'for everything' : role;
    return `${does} of version ${version}`;
  });
  const counts = [...kinds].map(([kind, same]) => `${same.length} ${kind}`);
  return counts.length > 0 ? counts.join(', ') : 'No process has reported yet';
}
