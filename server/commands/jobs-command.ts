import { Command, Option } from 'commander';
import { listJobRuns, type JobRuns } from '#app/platform/list-job-runs.server.ts';
import { nextRun } from '#app/platform/next-run.ts';
import type { Job } from '#app/platform/run-jobs.server.ts';
import { cronOf } from '#app/platform/schedule-words.ts';
import { printAs, withDatabase } from '#server/commands/with-database.ts';
import { heedParent } from '#server/run-apart.ts';
import { loadEntry } from '#server/site-sources.ts';

export const jobsCommand = new Command('jobs').description('the background jobs');

jobsCommand
  .command('list', { isDefault: true })
  .description('list the jobs: schedule, last run, failures')
  .option('--json', 'print them as JSON')
  .action((options: { json?: boolean }) =>
    withDatabase(async ({ database: { db } }) => {
      const runs = await listJobRuns(db);
      const now = new Date();
      const { jobs } = await loadEntry();
      const listed = jobs.map((job) => describe(job, runs, now));
      printAs(options, listed, underHeadings(listed));
    }),
  );

jobsCommand
  .command('run')
  .description('run one job now, in this process')
  .argument('<name>', 'the name in the list')
  .option('--json', 'print the outcome as JSON')
  .addOption(new Option('--watched', 'used internally by the site').hideHelp())
  .action((name: string, options: { json?: boolean; watched?: boolean }) => {
    const { watched = false } = options;
    const { signal, end } = heedParent(watched);
    return withDatabase(
      async ({ database: { db }, env, log }) => {
        const { jobs } = await loadEntry();
        const job = jobs.find((one) => one.name === name);
        const names = jobs.map((one) => one.name).join(', ');
        if (!job) throw new Error(`There is no job ${name}. The jobs are: ${names}.`);
        const began = performance.now();
        const services = { db, env, log, now: () => new Date() };
        await job.run(services, signal); // If the job fails, the command fails.
        const milliseconds = Math.round(performance.now() - began);
        printAs(options, { name, ok: true, milliseconds }, `${name} ran in ${milliseconds} ms.`);
      },
      // The parent process has migrated the database.
      { statementTimeout: 60_000, mayBeOlder: watched },
    ).finally(end);
  });

function describe(job: Job, runs: readonly JobRuns[], now: Date) {
  const { name, group = 'Others' } = job;
  const past = runs.find((one) => one.name === name);
  const { lastRunAt = null, lastState = null, failures = 0, lastFailure = null } = past ?? {};
  const timing =
    'schedule' in job
      ? { schedule: job.schedule, nextRunAt: nextRun(cronOf(job), now) }
      : { schedule: 'when due, in each process', nextRunAt: null };
  return { name, group, ...timing, lastRunAt, lastState, failures, lastFailure };
}

type Listed = ReturnType<typeof describe>;

function underHeadings(listed: readonly Listed[]): string {
  const groups = Map.groupBy(listed, ({ group }) => group);
  return [...groups].map(([group, some]) => [group, ...some.map(line)].join('\n')).join('\n\n');
}

function line(job: Listed): string {
  const { name, schedule, nextRunAt, lastRunAt, failures, lastFailure } = job;
  const parts = [`  ${name.padEnd(24)}`, schedule.padEnd(37)];
  if (nextRunAt)
    parts.push(`next ${utc(nextRunAt)}`, `last ${lastRunAt ? utc(lastRunAt) : 'never'}`);
  if (failures > 0) parts.push(`${failures} failed: ${lastFailure ?? 'no message'}`);
  return parts.join('  ').trimEnd();
}

function utc(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
