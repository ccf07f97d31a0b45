import { expect, test } from 'vitest';
import { jobs } from '#app/jobs.server.ts';
import { nextRun } from './next-run.ts';

const saturday = new Date('2026-11-21T07:58:30Z');

test.each([
  ['* * * * *', '2026-11-21T07:59'],
  ['*/15 * * * *', '2026-11-21T08:00'],
  ['58 7 * * *', '2026-11-22T07:58'], // the minute under way is not the next
  ['40 3 * * *', '2026-11-22T03:40'],
  ['7 * * * 1,2', '2026-11-23T00:07'],
  ['0 9-17/4 * * 1-5', '2026-11-23T09:00'],
  ['30 6 1 1 *', '2027-01-01T06:30'],
])('%s is due at %s', (schedule, due) => {
  expect(nextRun(schedule, saturday)?.toISOString()).toBe(`${due}:00.000Z`);
});

test('a day that never comes is no next run', () => {
  expect(nextRun('0 0 31 2 *', saturday)).toBeNull();
});

test('every job of the site has a next run within eight days', () => {
  for (const job of jobs) {
    if (!('schedule' in job)) continue;
    const wait = (nextRun(job.schedule, saturday)?.getTime() ?? Infinity) - saturday.getTime();
    expect([job.name, wait < 8 * 24 * 3_600_000]).toEqual([job.name, true]);
  }
});
