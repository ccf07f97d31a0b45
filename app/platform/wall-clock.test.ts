import { expect, test } from 'vitest';
import { fromWallClock, toWallClock } from './wall-clock.ts';

test('converts a time of the site’s zone to an instant, and back to the same', () => {
  const zones = {
    UTC: '2026-07-01T18:30:00.000Z',
    'America/New_York': '2026-07-01T22:30:00.000Z',
    'Asia/Kolkata': '2026-07-01T13:00:00.000Z',
  };
  for (const [zone, moment] of Object.entries(zones)) {
    const read = fromWallClock('2026-07-01T18:30', zone);
    expect([zone, read?.toISOString()]).toEqual([zone, moment]);
    expect(toWallClock(new Date(moment), zone)).toBe('2026-07-01T18:30');
  }
});

test('uses the daylight saving time of the instant, on both sides of the change', () => {
  expect(fromWallClock('2026-03-08T01:30', 'America/New_York')?.toISOString()).toBe(
    '2026-03-08T06:30:00.000Z',
  );
  expect(fromWallClock('2026-03-08T03:30', 'America/New_York')?.toISOString()).toBe(
    '2026-03-08T07:30:00.000Z',
  );
  expect(fromWallClock('2026-11-01T12:00', 'America/New_York')?.toISOString()).toBe(
    '2026-11-01T17:00:00.000Z',
  );
});

test('moves a time in a skipped hour one hour later, west and east of Greenwich', () => {
  const skipped = {
    'America/New_York': ['2027-03-14T02:30', '2027-03-14T03:30'],
    'Europe/Berlin': ['2027-03-28T02:30', '2027-03-28T03:30'],
  } as const;
  for (const [zone, [typed, shown]] of Object.entries(skipped)) {
    const moment = fromWallClock(typed, zone);
    expect([zone, moment && toWallClock(moment, zone)]).toEqual([zone, shown]);
  }
});

test('parses an invalid time as null', () => {
  for (const text of ['', 'tomorrow', '2026-13-01T00:00', '2026-01-01', '2026-01-01T25:00']) {
    expect(fromWallClock(text, 'UTC')).toBeNull();
  }
});
