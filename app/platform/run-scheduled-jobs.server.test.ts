import { once } from 'node:events';
import { expect, it } from 'vitest';
import { claimRuns, runOnSchedule } from '#app/platform/run-scheduled-jobs.server.ts';
import { useTestDatabase } from '#test/database.ts';
import { testServices } from '#test/services.ts';

const database = useTestDatabase();
const [minute, day] = [60_000, 86_400_000];
const tidy = { name: 'tidy', cron: '*/5 * * * *' };
const digest = { name: 'digest', cron: '7 * * * *' };
const noon = new Date('2026-11-26T12:00:00Z');
const after = (time: number) => new Date(noon.getTime() + time);

/**
 * Returns the names of the jobs that may run. `at` is in milliseconds after noon, and `since` in
 * milliseconds before `at`.
 */
async function claim(at: number, { jobs = [tidy, digest], since = minute } = {}) {
  const claimed = await claimRuns(database.db, jobs, after(at - since), after(at));
  return claimed.map(({ name }) => name).toSorted();
}

const end = (error: string | null = null) =>
  database.db.updateTable('job_runs').set({ ended_at: new Date(), error }).execute();
const runs = () =>
  database.db.selectFrom('job_runs').select(['name', 'due_at', 'error']).orderBy('id').execute();

it('assigns each run to one process, however many check at the same moment', async () => {
  const taken: string[] = [];
  for (let at = 0; at <= 20 * minute; at += minute) {
    const looks = await Promise.all(Array.from({ length: 5 }, () => claim(at)));
    taken.push(...looks.flat());
    await end();
  }
  expect(taken).toEqual(['tidy', 'tidy', 'digest', 'tidy', 'tidy', 'tidy']);
});

it('never runs a scheduled job twice at once', async () => {
  expect(await claim(0)).toEqual(['tidy']);
  expect(await claim(5 * minute)).toEqual([]);
  await end();
  expect(await claim(10 * minute)).toEqual(['tidy']);
});

it('delays a job by two minutes when its process is lost', async () => {
  await claim(0);
  await database.pool.query(`update job_runs set seen_at = now() - interval '110 seconds'`);
  expect(await claim(5 * minute)).toEqual([]);
  await database.pool.query(`update job_runs set seen_at = now() - interval '121 seconds'`);
  expect(await claim(10 * minute)).toEqual(['tidy']);
  expect(await runs()).toEqual([
    { name: 'tidy', due_at: after(0), error: 'The process that ran it was lost.' },
    { name: 'tidy', due_at: after(10 * minute), error: null },
  ]);
});

it('runs a job once for all the runs missed while no process was running', async () => {
  await claim(0);
  await end();
  expect(await claim(2 * day + 8 * minute, { since: 8 * day })).toEqual(['tidy']);
  expect((await runs()).at(-1)?.due_at).toEqual(after(2 * day + 5 * minute));
  await end();
  expect(await claim(2 * day + 9 * minute, { since: 8 * day })).toEqual([]);
});

it('does not count missed runs of a job that never ran, except for the last minute', async () => {
  expect(await claim(8 * minute, { since: 8 * day })).toEqual([]);
  expect(await claim(10 * minute + 59_999, { since: 8 * day })).toEqual(['tidy']);
});

it('does not delay jobs after the clock was wrong by years', async () => {
  await claim(3000 * day);
  await end();
  expect(await claim(0)).toEqual(['tidy']);
});

it('waits for the running job when the process stops, and stores the end of the run', async () => {
  const stopping = new AbortController();
  const begun = Promise.withResolvers<void>();
  const job = { name: 'slow', cron: '* * * * *' };
  const schedule = runOnSchedule([job], testServices(database), stopping.signal, async () => {
    begun.resolve();
    await once(stopping.signal, 'abort');
    throw new Error('it was cut off');
  });
  await begun.promise;
  stopping.abort();
  await schedule;
  expect(await runs()).toMatchObject([{ name: 'slow', error: 'it was cut off' }]);
});
