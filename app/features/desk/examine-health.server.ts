import type { AppServices } from '#app/platform/app-context.server.ts';
import { examineDisk, examineDurability } from '#app/platform/examine-machine.server.ts';
import type { CheckResult } from '#app/platform/check-result.ts';
import { lastDoneAt } from '#app/platform/audit/audit-queries.server.ts';
import { listJobRuns } from '#app/platform/list-job-runs.server.ts';
import { readMailEnv } from '#app/features/site-settings/read-mail-env.server.ts';
import { describeMail } from '#app/platform/mail/smtp-transport.server.ts';
import { examineProcesses, listSiteProcesses } from '#app/platform/site-processes.server.ts';
import { timeAgo } from '#app/platform/time-words.ts';
import { trySignIn } from '#app/features/accounts/sessions/try-sign-in.server.ts';
import { examineDiscovery } from './examine-discovery.server.ts';
import { readFeedAge, readMailLag } from './desk-queries.server.ts';
import { readServerVersion } from './read-system-info.server.ts';
import { errorMessage } from '#database/error-code.ts';

const lateAfterMs = 15 * 60_000;
/** ms; jobs run every minute, so a queue idle for longer is stuck */
const jobsSilentAfterMs = 5 * 60_000;
/** ms; backups run every night */
const backupsLateAfterMs = 26 * 3_600_000;

/** Runs the checks of System Status now. A failed check becomes a check result and never throws. */
export async function examineHealth(services: AppServices, userId: string): Promise<CheckResult[]> {
  const { db, env } = services;
  return Promise.all([
    look('Database Connection', () => examineConnection(services)),
    look('Durability', () => examineDurability(db)),
    look('Auth Service', () => examineAuth(services, userId)),
    look('Application Status', async () => examineProcess()),
    look('Processes', async () => examineProcesses(await listSiteProcesses(db), services.now())),
    look('Mail', () => examineMail(services)),
    look('Background jobs', () => examineJobs(services)),
    look('Disk', () => examineDisk(env)),
    look('Backups', () => examineBackups(services)),
    look('Feeds', () => examineFeeds(services)),
    look('Discovery', () => examineDiscovery(services)),
  ]);
}

type Found = Omit<CheckResult, 'name'>;

async function look(name: string, examine: () => Promise<Found>): Promise<CheckResult> {
  try {
    return { ...(await examine()), name };
  } catch (error) {
    return { name, state: 'problem', detail: errorMessage(error) };
  }
}

async function examineConnection({ db, env }: AppServices): Promise<Found> {
  const before = performance.now();
  const version = await readServerVersion(db);
  const took = Math.max(1, Math.round(performance.now() - before));
  const place = env.databaseUrl ? 'by DATABASE_URL' : 'embedded';
  return {
    state: 'ok',
    detail: `Connected: PostgreSQL ${version?.split(' ')[0]}, ${place}, responds in ${took} ms`,
  };
}

async function examineAuth({ db, env }: AppServices, userId: string): Promise<Found> {
  return (await trySignIn(db, userId, env.origin))
    ? { state: 'ok', detail: 'Active: a test session was opened, found and closed' }
    : { state: 'problem', detail: 'A test session could not be found, so no one can sign in' };
}

function examineProcess(): Found {
  const minutes = Math.floor(process.uptime() / 60);
  const since =
    minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  const memory = Math.round(process.memoryUsage().rss / 2 ** 20);
  return { state: 'ok', detail: `Running for ${since}, with ${memory} MB of memory` };
}

async function examineMail({ db, env, now }: AppServices): Promise<Found> {
  const { waiting, oldestDueAt, lastSentAt } = await readMailLag(db);
  const mail = await readMailEnv({ db, env });
  if (mail.smtp === null) {
    const detail = 'No email server: emails are kept in the outbox';
    return { state: 'warning', detail, fix: 'Enter one in the settings, or set SMTP_URL.' };
  }
  const lag = oldestDueAt === null ? 0 : now().getTime() - oldestDueAt.getTime();
  const last = lastSentAt === null ? 'none sent yet' : `last sent ${timeAgo(lastSentAt, now())}`;
  const detail = `${describeMail(mail)}, ${last}, ${waiting} waiting`;
  if (lag < lateAfterMs) return { state: 'ok', detail };
  return {
    state: 'problem',
    detail: `${detail}, the oldest for ${Math.round(lag / 60_000)} min`,
    fix: 'See the email server’s response in the outbox, or send a test email in the settings.',
  };
}

async function examineJobs({ db, now }: AppServices): Promise<Found> {
  const runs = await listJobRuns(db);
  const last = Math.max(0, ...runs.map(({ lastRunAt }) => lastRunAt?.getTime() ?? 0));
  if (last === 0) {
    const fix = 'Jobs begin when the site starts.';
    return { state: 'warning', detail: 'No job has run yet', fix };
  }
  const failing = runs.filter(({ lastState }) => lastState === 'failed').map(({ name }) => name);
  const detail = `Last ran ${timeAgo(new Date(last), now())}`;
  if (failing.length > 0) {
    const fix = 'Run `deals jobs` to see the errors.';
    return { state: 'problem', detail: `${detail}; failed: ${failing.join(', ')}`, fix };
  }
  return now().getTime() - last < jobsSilentAfterMs
    ? { state: 'ok', detail }
    : {
        state: 'problem',
        detail,
        fix: 'Check that a process with ROLE=worker or ROLE=all is running, and see the log.',
      };
}

async function examineBackups({ db, env, now }: AppServices): Promise<Found> {
  const [madeAt, triedAt] = [
    await lastDoneAt(db, 'site.backup'),
    await lastDoneAt(db, 'site.try-backup'),
  ];
  if (madeAt === null) {
    const detail = env.backups
      ? 'None yet: the first one runs tonight'
      : 'No backup has ever been made';
    const fix = env.backups ? undefined : 'Run `deals backup`, or set BACKUPS=on.';
    return { state: env.backups ? 'ok' : 'warning', detail, ...(fix && { fix }) };
  }
  const tried = triedAt === null ? '' : `, last test-restored ${timeAgo(triedAt, now())}`;
  const detail = `Last backup ${timeAgo(madeAt, now())}${tried}`;
  if (!env.backups || now().getTime() - madeAt.getTime() < backupsLateAfterMs) {
    return { state: 'ok', detail };
  }
  return {
    state: 'problem',
    detail,
    fix: 'Run `deals jobs` and see the line “back-up” for the reason.',
  };
}

async function examineFeeds({ db, now }: AppServices): Promise<Found> {
  const { sources, lastAt } = await readFeedAge(db);
  const age = lastAt === null ? 'none read yet' : `last read ${timeAgo(lastAt, now())}`;
  return {
    state: sources > 0 && lastAt === null ? 'warning' : 'ok',
    detail: sources === 0 ? 'No feed is set up' : `${sources} set up, ${age}`,
  };
}
