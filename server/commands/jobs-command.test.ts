import { describe, expect, it } from 'vitest';
import { insertDeal } from '#test/factories/insert.ts';
import { jobs } from '#app/jobs.server.ts';
import { listJobRuns } from '#app/platform/list-job-runs.server.ts';
import { type Job, startJobs } from '#app/platform/run-jobs.server.ts';
import { useTestDatabase } from '#test/database.ts';
import { jsonOf, useOwner } from '#test/run-deals.ts';
import { testServices } from '#test/services.ts';

const database = useTestDatabase();
const { deals } = useOwner(database);

describe('deals jobs', () => {
  it('lists every job with its schedule, and no runs before the first start', async () => {
    const listed = jsonOf(await deals('jobs', '--json')) as Record<string, unknown>[];
    expect(listed.map(({ name }) => name)).toEqual(jobs.map(({ name }) => name));
    expect(listed.find(({ name }) => name === 'expire-deals')).toEqual({
      name: 'expire-deals',
      group: 'Deals',
      schedule: 'every minute',
      nextRunAt: expect.stringMatching(/:00\.000Z$/),
      lastRunAt: null,
      lastState: null,
      failures: 0,
      lastFailure: null,
    });
    expect(listed.find(({ name }) => name === 'send-mails')).toMatchObject({
      schedule: 'when due, in each process',
      nextRunAt: null,
    });
    const { code, out } = await deals('jobs');
    expect(code).toBe(0);
    expect(out).toMatch(/^ {2}expire-deals +every minute +next \d{4}-.* UTC {2}last never$/m);
    const headings = out.split('\n').filter((line) => /^\w/.test(line));
    expect(headings).toEqual([...new Set(jobs.map(({ group }) => group))]);
  });

  it('shows when a job ran and what failed', async () => {
    const { db } = database;
    const run = () => Promise.reject(new Error('the shelf fell'));
    const failing: Job = { name: 'expire-deals', schedule: 'every minute', run };
    const running = await startJobs(database.url, [failing], testServices(database));
    await expect.poll(async () => (await listJobRuns(db))[0]?.lastState).toBe('failed');
    await running.stop(1);
    expect((await listJobRuns(db))[0]?.lastSuccessAt).toBeNull();
    await db.updateTable('job_runs').set({ error: null }).execute();
    expect((await listJobRuns(db))[0]?.lastSuccessAt).toBeInstanceOf(Date);
    await db.updateTable('job_runs').set({ error: 'the shelf fell' }).execute();
    const listed = jsonOf(await deals('jobs', '--json')) as Record<string, unknown>[];
    expect(listed.find(({ name }) => name === 'expire-deals')).toMatchObject({
      lastState: 'failed',
      failures: 1,
      lastFailure: 'the shelf fell',
      lastRunAt: expect.stringMatching(/^\d{4}-/),
    });
    expect((await deals('jobs')).out).toContain('1 failed: the shelf fell');
  });

  it('runs one job immediately, and rejects unknown names', async () => {
    await insertDeal(database.db, { expires_at: new Date(Date.now() - 1000), is_expired: false });
    const ran = await deals('jobs', 'run', 'expire-deals', '--json');
    expect(jsonOf(ran)).toEqual({
      name: 'expire-deals',
      ok: true,
      milliseconds: expect.any(Number),
    });
    const deal = await database.db.selectFrom('deals').select('is_expired').executeTakeFirst();
    expect(deal?.is_expired).toBe(true);
    expect((await deals('jobs', 'run', 'expire-deals')).out).toMatch(
      /^expire-deals ran in \d+ ms\.$/m,
    );
    const unknown = await deals('jobs', 'run', 'expire-deal');
    expect(unknown.code).toBe(1);
    expect(unknown.err).toContain('There is no job expire-deal. The jobs are: send-mails,');
  });
});
