import { afterEach, expect, it } from 'vitest';
import { type Job, type RunningJobs, startJobs } from '#app/platform/run-jobs.server.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { readEnv } from '#app/platform/env.server.ts';
import { createLog } from '#app/platform/log.server.ts';
import { useTestDatabase } from '#test/database.ts';

const database = useTestDatabase();
const running: RunningJobs[] = [];
afterEach(async () => {
  for (const jobs of running.splice(0)) await jobs.stop(1);
});

const services = (): AppServices => ({
  db: database.db,
  env: readEnv({}),
  log: createLog('silent'),
  now: () => new Date(),
});

async function start(jobs: Job[]): Promise<void> {
  running.push(await startJobs(database.url, jobs, services()));
}

const schedules = async () =>
  (await database.pool.query('select name, cron from jobs.schedule order by name')).rows;

it('puts every job on the schedule once, however many processes run it', async () => {
  const job: Job = { name: 'tidy', schedule: '*/5 * * * *', run: async () => {} };
  await Promise.all([start([job]), start([job])]);
  expect(await schedules()).toEqual([{ name: 'tidy', cron: '*/5 * * * *' }]);
});

it('forgets a job that is no longer in the table', async () => {
  const job = (name: string): Job => ({ name, schedule: '0 3 * * *', run: async () => {} });
  await start([job('old'), job('kept')]);
  await start([job('kept')]);
  expect((await schedules()).map(({ name }) => name)).toEqual(['kept']);
});

it('runs a queued job with services of its own', async () => {
  const ran = Promise.withResolvers<number>();
  const count: Job = {
    name: 'count-deals',
    schedule: '0 3 1 1 *',
    async run({ db }) {
      ran.resolve((await db.selectFrom('deals').select('id').execute()).length);
    },
  };
  await start([{ ...count, run: async () => {} }]);
  await running.pop()?.stop(1);
  await database.pool.query("insert into jobs.job (name, data) values ('count-deals', null)");
  await start([count]);
  expect(await ran.promise).toBe(0);
});
