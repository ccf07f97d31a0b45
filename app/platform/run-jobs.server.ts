import { setTimeout as sleep } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import type { AppServices } from '#app/platform/app-context.server.ts';
import type { Env } from '#app/platform/env.server.ts';
import type { RunApart, Trouble } from '#app/platform/own-process.ts';
import { runOnSchedule } from '#app/platform/run-scheduled-jobs.server.ts';
import { cronOf } from '#app/platform/schedule-words.ts';
import { ask } from '#database/ask.ts';
import { connect } from '#database/connect.ts';
import { isDatabaseUnavailable } from '#database/is-database-unavailable.ts';

/** One background job: its name, its schedule and its work. */
export type Job = ScheduledJob | DueJob;

interface Work {
  name: string;
  /** The heading under which `deals jobs` lists the job. */
  group?: string;
  /**
   * Does the work, which may be interrupted anywhere and run again, as after a crash. When `signal`
   * is aborted, the process stops: the job must finish, and start nothing new.
   */
  run(services: AppServices, signal: AbortSignal): Promise<void>;
  /**
   * Whether to run the job in a separate process, if the site can start one. Used for content from
   * strangers.
   */
  apart?: {
    /** Returns whether there is work, checked each time before a process is started. */
    isWanted(services: AppServices): Promise<boolean>;
    /** Records the interrupted work after the process was killed. */
    afterDeath(services: AppServices, trouble: Trouble): Promise<void>;
  };
}

interface ScheduledJob extends Work {
  /**
   * A schedule in UTC, as `schedule-words.ts` parses it. Each run happens once, in the first
   * process that claims it.
   */
  schedule: string;
}

/**
 * A job that runs in every process within seconds. Such a job is for work that users wait for,
 * divided by leases on its rows.
 */
interface DueJob extends Work {
  /**
   * A condition in SQL that is true if there is work. One statement checks the conditions of all
   * jobs. For tables that grow write `(select true … order by … limit 1)`: the order forces an
   * index, while `exists` may scan the table if its statistics are old.
   */
  isDue(env: Env): RawBuilder<unknown>;
}

export type RunningJobs = Awaited<ReturnType<typeof startJobs>>;

const askedEverySeconds = 2;

/**
 * Runs the jobs in this process. Each run of the schedule happens once across all processes. Jobs
 * have separate connections, so that jobs and pages never wait for each other.
 */
export async function startJobs(
  url: string,
  jobs: readonly Job[],
  services: AppServices,
  runApart: RunApart | null = null,
  pauseSeconds = askedEverySeconds,
) {
  const { log } = services;
  const all = jobs.map((job) => placed(job, runApart));
  const due = all.filter((job) => 'isDue' in job);
  const scheduled = all.flatMap((job) =>
    'schedule' in job ? [{ ...job, cron: cronOf(job) }] : [],
  );
  const connection = connect(url, {
    maxConnections: 3,
    statementTimeout: 60_000,
    onError: (error) => log.warn({ err: error }, 'a database connection of the jobs dropped'),
  });
  try {
    await ask(connection.db).value`select 1`;
  } catch (error) {
    await connection.close();
    throw error;
  }
  const stopping = new AbortController();
  const own: AppServices = { ...services, db: connection.db };
  const { signal } = stopping;
  const running = Promise.all([
    runOnSchedule(scheduled, own, signal, (job) => runJob(job, own, signal)),
    runDue(due, own, signal, pauseSeconds),
  ]);
  return {
    /**
     * Closes the jobs' connections at once, since the connection to the database is dead. The next
     * runs open new ones.
     */
    dropConnections: () => connection.drop(),
    /** Waits for running jobs, at most for `seconds`. */
    async stop(seconds: number): Promise<void> {
      stopping.abort();
      const patience = new AbortController();
      await Promise.race([
        running,
        sleep(seconds * 1000, undefined, { signal: patience.signal }).catch(() => {}),
      ]);
      patience.abort();
      await connection.close();
    },
  };
}

/**
 * ms; the pause after a job failed in its process, since the next process would fail with the same
 * error
 */
const pauseMs = 30_000;

/** Returns the function that runs the job, in a separate process if the job needs one. */
function placed(job: Job, runApart: RunApart | null): Job {
  const { name, apart } = job;
  if (!apart || !runApart) return job;
  return {
    ...job,
    async run(services, signal) {
      if (!(await apart.isWanted(services))) return;
      const trouble = await runApart(name, signal);
      if (trouble === null) return;
      if (trouble === 'failed') {
        await sleep(pauseMs, undefined, { signal }).catch(() => {});
        return;
      }
      services.log.error({ job: name, trouble }, 'the process of a job was lost');
      await apart.afterDeath(services, trouble);
    },
  };
}

async function runJob(job: Job, services: AppServices, signal: AbortSignal): Promise<void> {
  try {
    await job.run(services, signal);
  } catch (error) {
    services.log.error({ err: error, job: job.name }, 'job failed');
    throw error;
  }
}

/**
 * Runs each job that is due and not running yet, until the process stops. Then waits for the
 * running jobs.
 */
async function runDue(
  jobs: readonly DueJob[],
  services: AppServices,
  signal: AbortSignal,
  pauseSeconds: number,
): Promise<void> {
  const running = new Map<DueJob, Promise<void>>();
  while (!signal.aborted) {
    for (const job of await findDue(jobs, services)) {
      if (signal.aborted) break;
      if (running.has(job)) continue;
      const run = runJob(job, services, signal)
        .catch(() => {})
        .finally(() => running.delete(job));
      running.set(job, run);
    }
    await sleep(pauseSeconds * 1000, undefined, { signal }).catch(() => {});
  }
  await Promise.all(running.values());
}

/**
 * Returns the jobs that have work. If a condition fails, the jobs are checked one by one, and the
 * broken one runs every time: delayed work is worse than a run without work.
 */
export async function findDue(
  jobs: readonly DueJob[],
  services: AppServices,
): Promise<readonly DueJob[]> {
  const { db, env, log } = services;
  if (jobs.length === 0) return [];
  const asked = jobs.map(({ name, isDue }) => sql`select ${name} as name where ${isDue(env)}`);
  try {
    const due = await ask(db).column<string>`/* often */ ${sql.join(asked, sql` union all `)}`;
    return jobs.filter(({ name }) => due.includes(name));
  } catch (error) {
    const failed = { err: error, job: jobs.map(({ name }) => name).join(', ') };
    if (isDatabaseUnavailable(error)) {
      log.error(failed, 'due jobs could not be found');
      return [];
    }
    if (jobs.length > 1) {
      const found = [];
      for (const job of jobs) found.push(...(await findDue([job], services)));
      return found;
    }
    log.error(failed, 'the condition of a job could not be checked');
    return jobs;
  }
}
