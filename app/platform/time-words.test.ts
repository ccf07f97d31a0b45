import { describe, expect, test } from 'vitest';
import { fullTime, shortDate, timeAgo } from './time-words.ts';

const now = new Date('2026-11-21T12:00:00Z');
const before = (seconds: number) => new Date(now.getTime() - seconds * 1000);

// Proves Back office 9: Relative times
describe('relative times', () => {
  test.each([
    [0, 'just now'],
    [59, 'just now'],
    [60, '1 min ago'],
    [12 * 60, '12 min ago'],
    [3600, '1 hour ago'],
    [23 * 3600, '23 hours ago'],
    [24 * 3600, '1 day ago'],
    [50 * 3600, '2 days ago'],
  ])('describes %i seconds ago as "%s"', (seconds, words) => {
    expect(timeAgo(before(seconds), now)).toBe(words);
  });

  test('describes a future time as just now, since some clocks are fast', () => {
    expect(timeAgo(before(-30), now)).toBe('just now');
  });
});

test('shows dates in the site’s time zone, not in the server’s', () => {
  const late = new Date('2026-11-21T23:30:00Z');
  expect(shortDate(late, 'UTC')).toBe('Nov 21, 2026');
  expect(shortDate(late, 'Europe/Berlin')).toBe('Nov 22, 2026');
  expect(fullTime(late, 'UTC')).toContain('November 21, 2026');
  expect(fullTime(late, 'UTC')).toMatch(/11:30\sPM UTC$/);
});
