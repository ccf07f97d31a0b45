import { Client } from 'pg';
import { afterEach, expect, test, vi } from 'vitest';
import { jobs } from '#app/jobs.server.ts';
import { findDue, startJobs } from '#app/platform/run-jobs.server.ts';
import { useTestDatabase } from '#test/database.ts';
import { testServices } from '#test/services.ts';

const database = useTestDatabase();
afterEach(() => void vi.restoreAllMocks());

test('sends one statement for all polling jobs of an idle site, and a few per minute for the others', async () => {
  const query = vi.spyOn(Client.prototype, 'query');
  const texts = () =>
    query.mock.calls.map(([sent]: unknown[]) =>
      typeof sent === 'string' ? sent : String((sent as { text?: unknown }).text),
    );
  const services = testServices(database);
  await findDue(
    jobs.filter((job) => 'isDue' in job),
    services,
  );
  const look = texts().at(-1);
  const looks = () => texts().filter((text) => text === look);
  const idle = jobs.map((job) => ('schedule' in job ? { ...job, run: async () => {} } : job));
  const running = await startJobs(database.url, idle, services, null, 1);
  try {
    // Waits until the first run of each job is done.
    await expect.poll(() => looks().length, { timeout: 20_000 }).toBe(5);
    query.mockClear();
    await expect.poll(() => looks().length, { timeout: 60_000 }).toBe(10);
    const others = texts().filter((text) => text !== look);
    expect(others.filter((text) => !/\bjob_runs\b/.test(text))).toEqual([]);
    expect(others.length).toBeLessThan(40);
  } finally {
    await running.stop(1);
  }
});
