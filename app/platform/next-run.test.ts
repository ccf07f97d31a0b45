import { expect, test } from 'vitest';
import { jobs } from '#app/jobs.server.ts';
import { lastRun, nextRun } from './next-run.ts';
import { cronOf } from './schedule-words.ts';

const saturday = new Date('2026-11-21T07:58:30Z');

test.each([
  ['* * * * *', '2026-11-21T07:59'],
  ['*/15 * * * *', '2026-11-21T08:00'],
  ['58 7 * * *', '2026-11-22T07:58'], // The current minute does not count as the next run.
  ['40 3 * * *', '2026-11-22T03:40'],
  ['7 * * * 1,2', '2026-11-23T00:07'],
  ['0 9-17/4 * * 1-5', '2026-11-23T09:00'],
  ['30 6 1 1 *', '2027-01-01T06:30'],
])('computes the next run of the schedule %s: %s', (schedule, due) => {
  expect(nextRun(schedule, saturday)?.toISOString()).toBe(`${due}:00.000Z`);
});

const everySchedule = jobs.flatMap((job) => ('schedule' in job ? [cronOf(job)] : []));

test.each([...new Set(everySchedule), '0 9-17/4 * * 1-5', '30 6 1 1 *'])(
  'computes the last run of %s as the one before the next run',
  (schedule) => {
    const lastYear = new Date(saturday.getTime() - 366 * 86_400_000);
    const last = lastRun(schedule, saturday, lastYear);
    expect(nextRun(schedule, new Date((last?.getTime() ?? 0) - 1))).toEqual(last);
    expect(nextRun(schedule, last ?? saturday)).toEqual(nextRun(schedule, saturday));
  },
);

test('ignores runs at or before the given time when it computes the last run since then', () => {
  const at = (time: string) => new Date(`2026-11-21T${time}Z`);
  expect(lastRun('*/15 * * * *', saturday, at('07:44:59'))).toEqual(at('07:45:00'));
  expect(lastRun('*/15 * * * *', saturday, at('07:45:00'))).toBeNull();
  expect(lastRun('58 7 * * *', saturday, at('07:57:00'))).toEqual(at('07:58:00'));
});

test('returns no run for a date that does not exist', () => {
  expect(nextRun('0 0 31 2 *', saturday)).toBeNull();
});

test('schedules every job of the site within eight days', () => {
  for (const job of jobs) {
    if (!('schedule' in job)) continue;
    const wait = (nextRun(cronOf(job), saturday)?.getTime() ?? Infinity) - saturday.getTime();
    expect([job.name, wait < 8 * 24 * 3_600_000]).toEqual([job.name, true]);
  }
});
