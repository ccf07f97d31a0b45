import * as fc from '#test/fast-check.ts';
import { describe, expect, test } from 'vitest';
import { parseFeedPrice } from './feed-price.ts';

test.each([
  ['120.99 USD', 12_099, 'USD'],
  ['USD 120.99', 12_099, 'USD'],
  ['usd120.99', 12_099, 'USD'],
  ['$120.99', 12_099, null],
  ['US$ 120.99', 12_099, 'USD'],
  ['120,99 EUR', 12_099, 'EUR'],
  ['120,99 €', 12_099, 'EUR'],
  ['1.299,00', 129_900, null],
  ['1,299.00', 129_900, null],
  ['1,299', 129_900, null],
  ['1 299,00', 129_900, null],
  ['1’299.00', 129_900, null],
  ['1.234.567', 123_456_700, null],
  ['15.0000', 1_500, null],
  ['28.5', 2_850, null],
  ['2.1', 210, null],
  ['0.999', 100, null],
  ['35', 3_500, null],
  ['1e3', 100_000, null],
  ['1.29999E+02', 13_000, null],
  ['1,29,999.00', 12_999_900, null],
  ['1\u202F299,90\u00A0€', 129_990, 'EUR'],
  ['1_299.00', 129_900, null],
  ['1’299.-', 129_900, null],
  ['99,– €', 9_900, 'EUR'],
  ['19,99 EUROS', 1_999, 'EUR'],
  ['1299 RUR', 129_900, 'RUB'],
  ['12.50 руб.', 1_250, 'RUB'],
  ['R$ 10,00', 1_000, 'BRL'],
  ['149 kr', 14_900, null],
  ['19,99 € TTC', 1_999, 'EUR'],
  ['12,50 EURO inkl. MwSt.', 1_250, 'EUR'],
  ['Â£19.99', 1_999, 'GBP'],
  ['٢٥٫٥٠', 2_550, null],
  ['१२३.५०', 12_350, null],
  ['５９．９０', 5_990, null],
])('reads the price %s', (text, cents, currency) => {
  expect(parseFeedPrice(text, 'USD')).toEqual({ ok: true, amount: cents, currency });
});

test.each([
  ['', 'price is empty'],
  ['0.00 USD', 'price is 0'],
  ['0.001', 'price is 0'],
  ['-5.00', 'price is negative: -5.00'],
  ['-$5.00', 'price is negative: -$5.00'],
  ['ask us', 'price is not a number: ask us'],
  ['10-20', 'price is not a number: 10-20'],
  ['1e', 'price is not a number: 1e'],
  ['e3', 'price is not a number: e3'],
  ['12 34', 'price is not a number: 12 34'],
  ['1,2,3', 'price is not a number: 1,2,3'],
  ['USD 5 EUR', 'price is not a number: USD 5 EUR'],
  ['1.299', 'price is ambiguous, thousands or decimals: 1.299'],
  ['99999999999', 'price is too large: 99999999999'],
])('rejects the price %s and states the reason', (text, reason) => {
  expect(parseFeedPrice(text, 'USD')).toEqual({ ok: false, reason });
});

test.each([
  ['JPY', '129950', 129_950],
  ['JPY', '1299.00', 1_299],
  ['CLP', '19.990', 19_990],
  ['KWD', '1.250', 1_250],
  ['KWD', '1,299.500', 1_299_500],
  ['USD', '1299 JPY', 1_299],
])('reads a price in units of its own currency on a site in %s: %s', (run, text, amount) => {
  expect(parseFeedPrice(text, run)).toMatchObject({ ok: true, amount });
});

test.each([
  ['KWD', '1,299'],
  ['CLP', '500.000'],
])('rejects an ambiguous price on a site in %s: %s', (run, text) => {
  expect(parseFeedPrice(text, run)).toMatchObject({ ok: false });
});

describe('any input', () => {
  const cents = fc.integer({ min: 1, max: 2_147_483_647 });

  test.each([
    ['120.99', '', '.'],
    ['1,299.00', ',', '.'],
    ['1.299,00', '.', ','],
    ['1 299,00', '\u00A0', ','],
  ])('reads a price formatted as %s back to the cent', (_style, thousands, decimal) => {
    const property = fc.property(cents, fc.constantFrom('', ' USD', ' EUR'), (sum, currency) => {
      const whole = group(String(Math.floor(sum / 100)), thousands);
      const text = `${whole}${decimal}${String(sum % 100).padStart(2, '0')}${currency}`;
      expect(parseFeedPrice(text, 'USD')).toEqual({
        ok: true,
        amount: sum,
        currency: currency.trim() || null,
      });
    });
    expect(() => fc.assert(property)).not.toThrow();
  });

  test('returns a price that the database accepts, or a reason, for any input', () => {
    const property = fc.property(
      fc.oneof(fc.string(), fc.stringMatching(/^[$€ ,.\-\dUSD]{0,20}$/)),
      (text) => {
        const price = parseFeedPrice(text, 'USD');
        if (!price.ok) return price.reason.startsWith('price ');
        return Number.isInteger(price.amount) && price.amount > 0 && price.amount <= 2_147_483_647;
      },
    );
    expect(() => fc.assert(property)).not.toThrow();
  });
});

function group(whole: string, by: string): string {
  return whole.replace(/\B(?=(\d{3})+$)/g, by);
}
