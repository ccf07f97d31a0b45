import { describe, expect, test } from 'vitest';
import { findDecimalMark, readAmount } from './report-amounts.ts';
import { findDayOrder, readDay } from '#app/platform/written-days.ts';

describe('readAmount', () => {
  test('reads commissions in the formats of several countries', () => {
    for (const [text, currency, amount] of [
      ['1.64', 'USD', 164],
      ['$1,249.50', 'USD', 124_950],
      ['1.249,50 €', 'EUR', 124_950],
      ['1 249,50', 'EUR', 124_950],
      ["CHF 1'249.50", 'CHF', 124_950],
      ['7.7815', 'USD', 778],
      ['.505', 'USD', 51],
      ['-3,10', 'EUR', -310],
      ['−£3.10', 'GBP', -310],
      ['(3.10)', 'USD', -310],
      ['kr. 5,00', 'DKK', 500],
      ['1249', 'JPY', 1249],
      ['1249', 'USD', 124_900],
      ['0', 'USD', 0],
    ] as const)
      expect([text, readAmount(text, currency, null)]).toEqual([text, { ok: true, amount }]);
  });

  test('reads an ambiguous number like the other numbers in its report', () => {
    expect(findDecimalMark(['1.249', '0.5', '-'])).toBe('.');
    expect(findDecimalMark(['1.249', '3,89'])).toBe(',');
    expect(findDecimalMark(['1.249', '12'])).toBeNull();
    expect(findDecimalMark(['1.5', '1,5'])).toBeNull();
    expect(readAmount('1.249', 'USD', '.')).toEqual({ ok: true, amount: 125 });
    expect(readAmount('1.249', 'USD', ',')).toEqual({ ok: true, amount: 124_900 });
    expect(readAmount('1.249', 'USD', null).ok).toBe(false);
    expect(readAmount('1,5', 'USD', '.').ok).toBe(false);
  });

  test('rejects text that is not an amount in the currency', () => {
    const texts = ['', 'n/a', '1.2.3,4', '1 and 2', '5 €', '99999999999', '=1+1', '2026-11-21'];
    for (const text of texts)
      expect([text, readAmount(text, 'USD', null).ok]).toEqual([text, false]);
  });
});

describe('readDay', () => {
  test('reads days as networks write them', () => {
    for (const text of [
      '2026-11-21',
      '2026-11-21T23:59:59-08:00',
      '2026-11-21 10:00:00',
      '20261121',
      '21.11.2026',
      '21/11/26 10:12',
      '11/21/2026',
      '21-Nov-2026',
      'Nov 21, 2026 10:12',
      '21 November 2026',
      String(Date.parse('2026-11-21T12:00:00Z') / 1000),
    ])
      expect([text, readDay(text, findDayOrder([text], 'mdy'))]).toEqual([text, '2026-11-21']);
  });

  test('reads the order of day and month from a report’s unambiguous dates', () => {
    expect(findDayOrder(['03/04/2026', '13/04/2026'], 'mdy')).toBe('dmy');
    expect(findDayOrder(['03/04/2026', '04/13/2026'], 'dmy')).toBe('mdy');
    expect(findDayOrder(['03/04/2026'], 'mdy')).toBe('mdy');
    expect(readDay('03/04/2026', 'mdy')).toBe('2026-03-04');
    expect(readDay('03/04/2026', 'dmy')).toBe('2026-04-03');
  });

  test('rejects text that is not a day', () => {
    for (const text of ['', '31/02/2026', '2026-13-01', 'yesterday', '21/11', '12345'])
      expect([text, readDay(text, 'dmy')]).toEqual([text, null]);
  });
});
