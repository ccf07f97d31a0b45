import { expect, test } from 'vitest';
import { jobs } from '#app/jobs.server.ts';
import { cronOf } from './schedule-words.ts';

test.each([
  ['every minute', '* * * * *'],
  ['every 15 minutes', '*/15 * * * *'],
  ['hourly at :07', '7 * * * *'],
  ['hourly at :07 on Mondays and Tuesdays', '7 * * * 1,2'],
  ['hourly from 01:20 to 05:20', '20 1-5 * * *'],
  ['daily at 03:50', '50 3 * * *'],
  ['daily at 00:00', '0 0 * * *'],
  ['weekly at 04:15 on Sundays', '15 4 * * 0'],
])('describes the schedule %s as %s', (schedule, cron) => {
  expect(cronOf({ name: 'tidy', schedule })).toBe(cron);
});

test.each([
  '* * * * *',
  '',
  'every 7 minutes',
  'hourly at :60',
  'hourly from 01:20 to 05:30',
  'hourly from 05:20 to 01:20',
  'daily at 24:00',
  'daily at 3:50',
  'weekly at 04:15 on Sunday',
  'weekly at 04:15 on holidays',
  'Every minute',
])('names the job whose schedule is "%s"', (schedule) => {
  expect(() => cronOf({ name: 'tidy', schedule })).toThrow(
    `The job tidy has a schedule that cannot be read: "${schedule}".`,
  );
});

test('describes every job of the site with a heading and a readable schedule', () => {
  for (const job of jobs) expect(job.group, job.name).toMatch(/^[A-Z]/);
  const scheduled = jobs.filter((job) => 'schedule' in job);
  expect(scheduled.length).toBeGreaterThan(15);
  for (const job of scheduled) expect(cronOf(job)).toMatch(/^\S+( \S+){4}$/);
});
