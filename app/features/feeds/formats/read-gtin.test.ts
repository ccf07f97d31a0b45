import { expect, test } from 'vitest';
import { readGtin } from './read-gtin.ts';

function read(text: string | undefined) {
  const notes: string[] = [];
  return { gtin: readGtin(text, notes), notes };
}

test.each([
  ['4006381333931'],
  ['04006381333931'],
  ['400-6381-333931'],
  ["'4006381333931"],
  ['="4006381333931"'],
  ['4006381333931.0'],
  ['4006381333931\u00a0'],
  ['EAN: 4006381333931'],
  ['GTIN-13: 4006381333931'],
  ['4.006381333931E+12'],
  ['4,006381333931E+12'],
  ['4006381333932;4006381333931'],
  ['4006381333931 4006381333948'],
  ['["", "4006381333931"]'],
])('reads %s as one code and adds no note', (text) => {
  expect(read(text)).toEqual({ gtin: '4006381333931', notes: [] });
});

test('converts a ten-character ISBN to its 13-digit code', () => {
  expect(read('0-306-40615-2').gtin).toBe('9780306406157');
  expect(read('080442957X').gtin).toBe('9780804429573');
  expect(read('0306406153')).toEqual({
    gtin: null,
    notes: ['imported without its GTIN 0306406153: it does not have 8, 12, 13 or 14 digits'],
  });
});

test.each([
  ['4.00638E+12', 'imported without its GTIN 4.00638E+12: a spreadsheet rounded it'],
  ['4,00638E+12', 'imported without its GTIN 4,00638E+12: a spreadsheet rounded it'],
  ['4006381333932', 'imported without its GTIN 4006381333932: its check digit is wrong'],
  [
    '2000000010007',
    'imported without its GTIN 2000000010007: it is a code for internal use or coupons',
  ],
  ['12345678901', 'imported without its GTIN 12345678901: its check digit is wrong'],
])('omits %s with a note', (text, note) => {
  expect(read(text)).toEqual({ gtin: null, notes: [note] });
});

test.each([undefined, '', '0', '0000000000000', 'n/a', '-', 'does not apply', 'null', '12345'])(
  'finds no code in %j and adds no note',
  (text) => {
    expect(read(text)).toEqual({ gtin: null, notes: [] });
  },
);
