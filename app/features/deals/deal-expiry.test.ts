import { assert, integer, property } from '#test/fast-check.ts';
import { describe, expect, test } from 'vitest';
import { dealExpiry } from './deal-expiry.ts';

const now = new Date('2026-11-21T12:00:00Z');
const hour = 3_600_000;
const day = 24 * hour;

const ends = (inMs: number, is_expired = false, timeZone = 'UTC') =>
  dealExpiry({ expires_at: new Date(now.getTime() + inMs), is_expired }, now, timeZone);

describe('the expiry text', () => {
  test('omits the expiry text without an end', () => {
    expect(dealExpiry({ expires_at: null, is_expired: false }, now, 'UTC')).toBeNull();
  });

  test.each([
    [1, 'Ends within the hour'],
    [hour - 1, 'Ends within the hour'],
    [hour, 'Ends in 1 hour'],
    [2 * hour - 1, 'Ends in 1 hour'],
    [2 * hour, 'Ends in 2 hours'],
    [day - 1, 'Ends in 23 hours'],
    [day, 'Ends in 1 day'],
    [2 * day - 1, 'Ends in 1 day'],
    [2 * day, 'Ends in 2 days'],
    [30 * day + hour, 'Ends in 30 days'],
  ])('describes an end in %i ms as %s', (left, text) => {
    expect(ends(left)?.text).toBe(text);
  });

  test('flags an end within a day as soon, and no later one', () => {
    expect(ends(day - 1)?.isSoon).toBe(true);
    expect(ends(day)?.isSoon).toBe(false);
    expect(ends(-1)?.isSoon).toBe(false);
  });

  test('counts a started day as a day left', () => {
    expect([1, day, day + 1, 3 * day].map((left) => ends(left)?.daysLeft)).toEqual([1, 1, 2, 3]);
  });

  test('shows the date of a past end in the site’s time zone', () => {
    expect(ends(-18 * day)).toMatchObject({ text: 'Expired Nov 3, 2026', daysLeft: 0 });
    expect(ends(-12.5 * hour, true)?.text).toBe('Expired Nov 20, 2026');
    expect(ends(-12.5 * hour, true, 'Asia/Tokyo')?.text).toBe('Expired Nov 21, 2026');
  });

  test('shows “expired” at the exact moment of the end', () => {
    expect(ends(0)?.text).toBe('Expired Nov 21, 2026');
  });

  test('shows “expired” when the database does, even if the local clock is behind', () => {
    expect(ends(5_000, true)).toMatchObject({ text: 'Expired Nov 21, 2026', isSoon: false });
  });

  test('shows the full date beside the relative time', () => {
    expect(ends(2 * day)?.absolute).toMatch(/^Monday, November 23, 2026 at 12:00\sPM$/);
  });

  test('never promises more time than there is', () => {
    assert(
      property(integer({ min: 1, max: 400 * day }), (left) => {
        const [, number, unit] = /in (\d+) (hour|day)/.exec(ends(left)?.text ?? '') ?? [];
        const promised = Number(number ?? 0) * (unit === 'day' ? day : hour);
        expect(promised).toBeLessThanOrEqual(left);
      }),
    );
  });
});
