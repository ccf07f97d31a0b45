import { Client } from 'pg';
import { afterEach, expect, test, vi } from 'vitest';
import { jobs } from '#app/jobs.server.ts';
import { startJobs } from '#app/platform/run-jobs.server.ts';
import { useTestDatabase } from '#test/database.ts';
import { testServices } from '#test/services.ts';

const database = useTestDatabase();
afterEach(() => void vi.restoreAllMocks());

test('an idle site asks for all polling jobs in one statement, and its queues less often than that', async () => {
  const asked = vi.spyOn(Client.prototype, 'query');
  const words = () =>
    asked.mock.calls.map(([query]: unknown[]) =>
      typeof query === 'string' ? query : String((query as { text?: unknown }).text),
    );
  const looks = () => words().filter((one) => one.includes('union all') && one.includes('outbox'));
  const running = await startJobs(database.url, jobs, testServices(database));
  try {
    await expect.poll(() => looks().length, { timeout: 20_000 }).toBe(4); // the first run of each job
    asked.mockClear();
    await expect.poll(() => looks().length, { timeout: 60_000 }).toBe(10);
    expect(words().length - looks().length).toBeLessThan(20);
  } finally {
    await running.stop(1);
  }
});
