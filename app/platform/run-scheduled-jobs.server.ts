import { setTimeout as sleep } from 'node:timers/promises';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { describeError } from '#app/platform/log.server.ts';
import { lastRun } from '#app/platform/next-run.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { runsAreKeptForDays } from '#database/table-registry.ts';

const minute = 60_000;
/** ms after the full minute, since the clocks of the schedule and of timers may differ slightly */
const afterTheMinute = 50;
const seenEveryMs = 30_000;
/** seconds without a report from its process after which a run counts as lost */
const lostAfter = 120;

/** ms; older runs are already deleted, so no earlier missed run can be found */
const longestMissed = runsAreKeptForDays * 24 * 60 * minute;

export interface Scheduled {
  name: string;
  /** A schedule of five fields, in UTC. */
  cron: string;
}

/**
 * Starts each job at the minutes of its schedule until the process stops, and then waits for the
 * running jobs. A run is a row of `job_runs`, unique by job and minute. Only the process that
 * inserts the row runs the job. While a job runs, its next due minutes are skipped. After
 * downtime, each job that ran before runs once, however many runs it missed.
 */
export async function runOnSchedule<Job extends Scheduled>(
  jobs: readonly Job[],
  { db, log }: AppServices,
  signal: AbortSignal,
  run: (job: Job) => Promise<void>,
): Promise<void> {
  const running = new Map<number, Promise<void>>();
  const runAndNote = async (id: number, job: Job) => {
    try {
      await noteEnd(db, id, await errorOf(run(job)));
    } catch (error) {
      log.warn({ err: error, job: job.name }, 'the end of a job could not be stored');
    } finally {
      running.delete(id);
    }
  };
  const beat = setInterval(() => {
    if (running.size === 0) return;
    noteSeen(db, [...running.keys()]).catch((error) =>
      log.warn({ err: error }, 'running jobs could not be reported'),
    );
  }, seenEveryMs).unref();
  let looked = new Date(Date.now() - longestMissed);
  while (!signal.aborted && jobs.length > 0) {
    const now = new Date();
    try {
      // The clock may have been set back.
      const since = looked < now ? looked : new Date(now.getTime() - minute);
      for (const { id, name } of await claimRuns(db, jobs, since, now)) {
        const job = jobs.find((one) => one.name === name);
        if (job) running.set(id, runAndNote(id, job));
      }
      looked = now;
    } catch (error) {
      log.warn({ err: error }, 'the schedule of jobs could not be read');
    }
    const toNextMinute = minute - (Date.now() % minute) + afterTheMinute;
    await sleep(toNextMinute, undefined, { signal }).catch(() => {});
  }
  await Promise.all(running.values());
  clearInterval(beat);
}

/**
 * Claims the last run of each job that was due after `since` and up to `now`, unless another
 * process has claimed it.
 */
export async function claimRuns(
  db: Db,
  jobs: readonly Scheduled[],
  since: Date,
  now: Date,
): Promise<{ id: number; name: string }[]> {
  await ask(db).rows`
    update job_runs set ended_at = now(), error = 'The process that ran it was lost.'
     where ended_at is null and seen_at < now() - make_interval(secs => ${lostAfter})`;
  // A job that never ran has missed no runs, except one in the last minute.
  const due = jobs.flatMap(({ name, cron }) => {
    const at = lastRun(cron, now, since);
    return at ? [{ name, at, isNew: now.getTime() - at.getTime() < minute }] : [];
  });
  // Two processes may both find a free minute, but the unique indexes let only one of them insert
  // its row.
  return ask(db).rows<{ id: number; name: string }>`
    insert into job_runs (name, due_at)
    select name, at
      from jsonb_to_recordset(${JSON.stringify(due)}::jsonb) due (name text, at timestamptz, "isNew" boolean)
     where coalesce((select max(due_at) < at from job_runs r where r.name = due.name and due_at <= ${now}), "isNew")
    on conflict do nothing
    returning id, name`;
}

/** Returns the reason for a failure, or null. */
async function errorOf(run: Promise<void>): Promise<string | null> {
  try {
    await run;
    return null;
  } catch (error) {
    return describeError(error).message;
  }
}

async function noteEnd(db: Db, id: number, error: string | null): Promise<void> {
  await ask(db).rows`
    update job_runs set ended_at = now(), error = ${error} where id = ${id} and ended_at is null`;
}

async function noteSeen(db: Db, ids: readonly number[]): Promise<void> {
  await ask(db).rows`
    update job_runs set seen_at = now() where id = any(${ids}::bigint[]) and ended_at is null`;
}
