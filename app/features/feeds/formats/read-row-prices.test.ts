import { describe, expect, test } from 'vitest';
import type { FeedRow } from './feed-fields.ts';
import { PriceEvidence } from './price-evidence.ts';
import { type PriceRules, readPrices } from './read-row-prices.ts';

const rules = { currency: 'EUR', now: new Date('2026-11-26T12:00Z') };

/** Reads prices as a feed reader does: all of them first, then the ambiguous ones again. */
function readAll(
  texts: readonly (string | Partial<FeedRow>)[],
  more: Partial<PriceRules> = {},
): (number | string)[] {
  const rows = texts.map((text, at): FeedRow => {
    const parts = typeof text === 'string' ? { values: { sale_price: text } } : text;
    return { line: at + 1, values: {}, ...parts };
  });
  const isChosen = more.decimalMark !== undefined;
  const evidence = new PriceEvidence();
  const given = { ...rules, ...more, hasWholeAmounts: isChosen };
  const reading = isChosen ? given : { ...given, evidence };
  const first = rows.map((row) => readPrices(row, reading, []));
  const settled = isChosen ? given : { ...given, ...evidence.settle() };
  return first.map((prices, at) => {
    const row = rows[at];
    const read = !prices.ok && prices.waits && row ? readPrices(row, settled, []) : prices;
    return read.ok ? read.sale_price : read.reason;
  });
}

const doubt = (text: string) =>
  `sale price is ambiguous, thousands or decimals: ${text}; choose the decimal mark in the source’s settings`;

describe('a number with three digits after its only mark', () => {
  test.each([
    ['19,99', '1,299', 130],
    ['7,5', '12,500', 1_250],
    ['1.299,00', '1.299', 129_900],
    ['0,990', '1.299', 129_900],
    ['1250,000', '1,250', 125],
    ['1.234.567', '1.299', 129_900],
    ['19.99', '1,299', 129_900],
    ['1,299.00', '1,299', 129_900],
    ['1,234,567', '1,299', 129_900],
    ['0.990', '1.299', 130],
    ['1 299,000', '1,299', 130],
  ])(
    'reads three digits after a number’s only mark like the feed’s other price: %s next to %s',
    (shown, text, amount) => {
      expect(readAll([shown, text])[1]).toBe(amount);
      expect(readAll([text, shown])[0]).toBe(amount);
    },
  );

  test.each([
    [['1,299']],
    [['1.299']],
    [['599', '1,299']],
    [['19,99', '19.99', '1,299']],
    [['1.299', '1,299']],
  ])('asks how to read three digits after a mark if the feed leaves it open: %s', (texts) => {
    const last = texts.at(-1) ?? '';
    expect(readAll(texts).at(-1)).toBe(doubt(last));
  });

  test('reads three digits after a mark as the source specifies', () => {
    expect(readAll(['1,299', '1.299'], { decimalMark: 'comma' })).toEqual([130, 129_900]);
    expect(readAll(['1,299', '1.299'], { decimalMark: 'point' })).toEqual([129_900, 130]);
  });

  test('infers the number format even from old prices and from sales that have not begun', () => {
    const sale = { sale_price: '9,99', sale_dates: '2026-12-01/2026-12-02' };
    const rows = [{ values: { original_price: '12', ...sale } }, '1.299'];
    expect(readAll(rows)).toEqual([1_200, 129_900]);
    const old = { values: { sale_price: '5', original_price: '9,99' } };
    expect(readAll([old, '1.299'])).toEqual([500, 129_900]);
  });

  test.each([
    ['JPY', ['1,980', '1,000'], [1_980, 1_000]],
    ['CLP', ['19.990', '500.000'], [19_990, 500_000]],
    ['CLP', ['1299.00', '500.000'], [1_299, 500]],
    ['KWD', ['1.250', '0.750'], [1_250, 750]],
    ['KWD', ['12,5', '1.250'], [12_500, 1_250_000]],
    ['KWD', ['1,299', '0.750'], [1_299_000, 750]],
  ])(
    'reads three digits after a mark according to the decimals of the currency %s: %s',
    (currency, texts, amounts) => {
      expect(readAll(texts, { currency })).toEqual(amounts);
    },
  );
});

describe('a whole amount next to a currency', () => {
  const amount = (text: string) => ({
    values: { sale_price: `${text} EUR` },
    amounts: ['sale_price' as const],
  });

  test('reads a whole amount next to a currency as whole when another amount has decimals', () => {
    expect(readAll([amount('1999'), amount('5.5')])).toEqual([199_900, 550]);
  });

  test('asks how to read amounts next to a currency when all of them are whole', () => {
    const reason =
      'sale price is ambiguous, whole or in minor units: 1999 EUR; choose the decimal mark in the source’s settings';
    expect(readAll([amount('1999'), '7.50'])).toEqual([reason, 750]);
  });

  test('reads a whole amount next to a currency as the source specifies', () => {
    expect(readAll([amount('1999')], { decimalMark: 'point' })).toEqual([199_900]);
    expect(readAll([amount('1999'), '1999'], { decimalMark: 'none' })).toEqual([1_999, 1_999]);
  });

  test('reads a whole amount without asking if its currency has no decimals', () => {
    const yen = { values: { sale_price: '1999 JPY' }, amounts: ['sale_price' as const] };
    expect(readAll([yen], { currency: 'JPY' })).toEqual([1_999]);
  });
});

describe('a currency word', () => {
  test.each([
    ['EUR', '$49.90', '$'],
    ['EUR', '1 299,00 kr', 'kr'],
    ['EUR', '¥4990', '¥'],
    ['GBP', '49.90 kr.', 'kr.'],
    ['SEK', '$5', '$'],
  ])(
    'rejects a currency word that never means the site’s currency %s: %s',
    (currency, text, word) => {
      expect(readAll([text], { currency })).toEqual([
        `sale price is in ${word}, but this site's currency is ${currency}`,
      ]);
    },
  );

  test.each([
    ['USD', '$49.90', 4_990],
    ['AUD', '$49.90', 4_990],
    ['SEK', '1 299,00 kr', 129_900],
    ['DKK', '49,90 kr.', 4_990],
    ['CNY', '¥49.90', 4_990],
    ['RON', '99 lei', 9_900],
  ])('reads a currency word on a site in %s as its currency: %s', (currency, text, amount) => {
    expect(readAll([text], { currency })).toEqual([amount]);
  });

  test('checks a currency word in a separate column, too', () => {
    const row = { values: { sale_price: '5.00', currency: '$' } };
    expect(readAll([row])).toEqual(["sale price is in $, but this site's currency is EUR"]);
    expect(readAll([row], { currency: 'CAD' })).toEqual([500]);
  });
});

test.each([
  '-',
  '--',
  'N/A',
  'n/a',
  'None',
  'NaN',
  'null',
  'nil',
  'TBD',
  'false',
  '.',
  '0',
  '0,00',
])('accepts a row’s other price next to %s', (word) => {
  const blank = { values: { original_price: '10.00 EUR', sale_price: word } };
  const swapped = { values: { original_price: word, sale_price: '10.00 EUR' } };
  expect(readAll([blank, swapped])).toEqual([1_000, 1_000]);
});

test('notes an implausible old price, but leaves the decision to the plan', () => {
  const values = { sale_price: '5.00', original_price: '9999999.00' };
  const notes: string[] = [];
  const row = { line: 1, values };
  expect(readPrices(row, rules, notes)).toMatchObject({ original_price: 999_999_900 });
  expect(notes).toEqual([
    'the old price is not used, since it is more than 20 times the price: 9999999.00',
  ]);
  const larger = { line: 1, values: { ...values, original_price: '99999999.00' } };
  expect(readPrices(larger, rules, [])).toMatchObject({ ok: true, sale_price: 500 });
});
