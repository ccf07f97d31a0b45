import { describe, expect, test } from 'vitest';
import { dateOrder, readCouponDate } from './coupon-dates.ts';

const read = (
  text: string,
  edge: 'start' | 'end' = 'start',
  order: 'day' | 'month' | null = null,
) => readCouponDate(text, edge, { order, timeZone: 'America/New_York' })?.toISOString() ?? null;

test.each([
  ['2026-12-31', '2026-12-31T05:00:00.000Z'],
  ['2026-12-31 18:30', '2026-12-31T23:30:00.000Z'],
  ['2026-12-31T18:30:15', '2026-12-31T23:30:15.000Z'],
  ['2026-12-31T18:30:00Z', '2026-12-31T18:30:00.000Z'],
  ['2026-12-31 18:30:00 UTC', '2026-12-31T18:30:00.000Z'],
  ['2026-12-31T18:30:00+0100', '2026-12-31T17:30:00.000Z'],
  ['31.12.2026', '2026-12-31T05:00:00.000Z'],
  ['3.4.2026', '2026-04-03T04:00:00.000Z'],
  ['Dec 31, 2026', '2026-12-31T05:00:00.000Z'],
  ['31-Dec-2026', '2026-12-31T05:00:00.000Z'],
  ['31 December 2026 6:30 PM', '2026-12-31T23:30:00.000Z'],
  ['03/03/2026', '2026-03-03T05:00:00.000Z'],
  ['2026-02-30', null],
  ['03/04/2026', null],
  ['tomorrow', null],
  ['', null],
])('reads the coupon date %o in the time zone of the site', (text, moment) => {
  expect(read(text)).toBe(moment);
});

test('ends a coupon in the last second of its end date if the date has no time', () => {
  expect(read('2026-12-31', 'end')).toBe('2027-01-01T04:59:59.000Z');
});

describe('an ambiguous date', () => {
  test('reads an ambiguous date day-first when another date of the list is', () => {
    const order = dateOrder(['', '03/04/2026', '31/12/2026']);
    expect([order, read('03/04/2026', 'start', order)]).toEqual([
      'day',
      '2026-04-03T04:00:00.000Z',
    ]);
  });

  test('reads an ambiguous date month-first when another date of the list is', () => {
    const order = dateOrder(['03/04/2026', '12/31/2026 11:59 PM']);
    expect([order, read('03/04/2026', 'start', order)]).toEqual([
      'month',
      '2026-03-04T05:00:00.000Z',
    ]);
  });
});
