import { expect, test } from 'vitest';
import { readMovedPrice, readWrittenDay } from './read-moved-price.ts';

test('reads prices in the currency of the deal', () => {
  for (const [text, named, currency, price] of [
    ['19.99', '', 'USD', 1999],
    ['$1,299', 'usd', 'USD', 129_900],
    ['1.249,99 €', '', 'EUR', 124_999],
    ['USD 5', '', 'USD', 500],
    ['5', '$', 'CAD', 500],
    ['1999', 'JPY', 'JPY', 1999],
  ] as const)
    expect([text, readMovedPrice(text, named, currency)]).toEqual([text, { ok: true, price }]);
});

test('rejects other currencies instead of converting them', () => {
  for (const [text, named] of [
    ['€5', ''],
    ['5 EUR', ''],
    ['HRK 5', ''],
    ['5', 'gbp'],
    ['£5', 'USD'],
  ] as const)
    expect([text, readMovedPrice(text, named, 'USD')]).toEqual([
      text,
      { ok: false, reason: 'other-currency' },
    ]);
  expect(readMovedPrice('$5', '', 'EUR')).toEqual({ ok: false, reason: 'other-currency' });
});

test('rejects texts that are not a price above zero', () => {
  for (const text of ['', '0', '-5', '1.249', '=1+1', '99999999999', 'free'])
    expect([text, readMovedPrice(text, '', 'USD')]).toEqual([
      text,
      { ok: false, reason: 'bad-price' },
    ]);
});

test('returns both days that a date can mean', () => {
  expect(readWrittenDay('03/04/2025')).toEqual({
    dayFirst: '2025-04-03',
    monthFirst: '2025-03-04',
  });
  expect(readWrittenDay('13/04/2025')).toEqual({ dayFirst: '2025-04-13', monthFirst: null });
  expect(readWrittenDay('2025-04-03')).toEqual({
    dayFirst: '2025-04-03',
    monthFirst: '2025-04-03',
  });
  expect(readWrittenDay('soon')).toEqual({ dayFirst: null, monthFirst: null });
});
