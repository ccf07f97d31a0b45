import {
  assert,
  constantFrom,
  integer,
  nat,
  property,
  string,
  stringMatching,
} from '#test/fast-check.ts';
import { describe, expect, test } from 'vitest';
import { centsToDecimal, formatMoney, parseMoney } from './money.ts';

const most = 2_147_483_647;

describe('money as it is shown', () => {
  test.each([
    [0, '$0.00'],
    [1, '$0.01'],
    [1999, '$19.99'],
    [123_456_789, '$1,234,567.89'],
    [-500, '-$5.00'],
  ])('%i cents are %s', (cents, shown) => {
    expect(formatMoney(cents)).toBe(shown);
  });

  test('drops the decimals of a round sum only, and only where asked', () => {
    expect(formatMoney(3500, 'USD', { wholeIfRound: true })).toBe('$35');
    expect(formatMoney(3550, 'USD', { wholeIfRound: true })).toBe('$35.50');
    expect(formatMoney(3500, 'USD')).toBe('$35.00');
    // The formatter of round sums is kept beside the other one.
    expect(formatMoney(3500, 'USD', { wholeIfRound: true })).toBe('$35');
  });

  test('bears the sign of its currency', () => {
    expect(formatMoney(1999, 'EUR')).toBe('€19.99');
    expect(formatMoney(1999, 'GBP')).toBe('£19.99');
  });
});

describe('money in fields, feeds and structured data', () => {
  test.each([
    [0, '0.00'],
    [5, '0.05'],
    [50, '0.50'],
    [1999, '19.99'],
    [-5, '-0.05'],
    [-1999, '-19.99'],
    [most, '21474836.47'],
  ])('%i cents are %s', (cents, decimal) => {
    expect(centsToDecimal(cents)).toBe(decimal);
  });

  // Proves P2: cents
  test('is read back as it was written, whatever the sum', () => {
    assert(
      property(integer({ min: 0, max: most }), (cents) => {
        expect(parseMoney(centsToDecimal(cents))).toBe(cents);
        expect(parseMoney(formatMoney(cents))).toBe(cents);
      }),
    );
  });
});

describe('a price as a person types it', () => {
  test.each([
    ['19.99', 1999],
    ['35', 3500],
    ['35.5', 3550],
    [' $1,299 ', 129_900],
    ['$ 1,299.00', 129_900],
    ['€7', 700],
    ['£0.01', 1],
    ['1,234,567.89', 123_456_789],
    ['0', 0],
    ['007', 700],
    ['21474836.47', most],
  ])('%j is %i cents', (typed, cents) => {
    expect(parseMoney(typed)).toBe(cents);
  });

  test.each([
    '',
    ' ',
    'free',
    '-5',
    '+5',
    '1.999',
    '1.',
    '.5',
    '1,29',
    '1,2999',
    '1 299',
    '5$',
    '$$5',
    '1e3',
    '0x10',
    '٣',
    'Infinity',
    '21474836.48',
    '9999999999',
  ])('%j is no price', (typed) => {
    expect(parseMoney(typed)).toBeNull();
  });

  test('never becomes part of a cent, a negative sum or more than the database holds', () => {
    const pricelike = stringMatching(/^[$€£ ]?[\d,.]{0,14}$/);
    assert(
      property(constantFrom('any', 'pricelike'), string(), pricelike, (kind, any, near) => {
        const cents = parseMoney(kind === 'any' ? any : near);
        expect(cents === null || (Number.isInteger(cents) && cents >= 0 && cents <= most)).toBe(
          true,
        );
      }),
    );
  });

  test('thousands separators change nothing', () => {
    assert(
      property(nat(21_000_000), (whole) => {
        expect(parseMoney(whole.toLocaleString('en-US'))).toBe(whole * 100);
      }),
    );
  });
});
