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
import { parseFeedPrice } from '#app/features/feeds/formats/feed-price.ts';
import {
  examplePrice,
  exponentOf,
  formatMoney,
  fromNumber,
  moneyPattern,
  parseMoney,
  toDecimal,
  twoWaysToRead,
} from './money.ts';

const most = 2_147_483_647;

describe('money on screen', () => {
  test.each([
    [0, '$0.00'],
    [1, '$0.01'],
    [1999, '$19.99'],
    [123_456_789, '$1,234,567.89'],
    [-500, '-$5.00'],
  ])('formats %i cents as %s', (cents, shown) => {
    expect(formatMoney(cents, 'USD')).toBe(shown);
  });

  test('drops decimals only from round amounts, and only on request', () => {
    expect(formatMoney(3500, 'USD', { wholeIfRound: true })).toBe('$35');
    expect(formatMoney(3550, 'USD', { wholeIfRound: true })).toBe('$35.50');
    expect(formatMoney(3500, 'USD')).toBe('$35.00');
    // The formatters of round and other amounts are cached separately.
    expect(formatMoney(3500, 'USD', { wholeIfRound: true })).toBe('$35');
  });

  test('shows the sign of the amount’s currency', () => {
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
  ])('writes %i cents in fields and feeds as %s', (cents, decimal) => {
    expect(toDecimal(cents, 'USD')).toBe(decimal);
  });

  // Proves P2: minor units
  test('parses any written amount back to the same amount', () => {
    assert(
      property(integer({ min: 0, max: most }), (cents) => {
        expect(parseMoney(toDecimal(cents, 'USD'), 'USD')).toBe(cents);
        expect(parseMoney(formatMoney(cents, 'USD'), 'USD')).toBe(cents);
      }),
    );
  });
});

describe('a typed price', () => {
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
    ['249,99', 24_999],
    ['249,9', 24_990],
    ['1.249,99 €', 124_999],
    ['$1,249.99', 124_999],
    ['1 249,99', 124_999],
    ["1'249.99", 124_999],
    ['1’249', 124_900],
    ['1.249.000', 124_900_000],
    ['1,249', 124_900],
    ['1,29', 129],
    ['1 299', 129_900],
    ['5$', 500],
    ['$5 USD', 500],
    ['149 kr.', 14_900],
    ['12,50 eur', 1_250],
    ['21474836.47', most],
  ])('parses the typed price %j as %i cents', (typed, cents) => {
    expect(parseMoney(typed, 'USD')).toBe(cents);
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
    '1.249',
    '1.249 €',
    '0,999',
    '1,2999',
    '12,34,567',
    '1299,000',
    '1.249,999',
    '1.249.99',
    '1,249,99',
    '1 2',
    '5k',
    '5 %',
    '10-20',
    'USD',
    '$$5',
    '1e3',
    '0x10',
    '٣',
    'Infinity',
    '21474836.48',
    '9999999999',
  ])('rejects %j as a price', (typed) => {
    expect(parseMoney(typed, 'USD')).toBeNull();
  });

  test('never parses a price to a fraction of a cent, a negative amount, or more than the database can store', () => {
    const pricelike = stringMatching(/^[$€£ ]?[\d,.]{0,14}$/);
    assert(
      property(constantFrom('any', 'pricelike'), string(), pricelike, (kind, any, near) => {
        const cents = parseMoney(kind === 'any' ? any : near, 'USD');
        expect(cents === null || (Number.isInteger(cents) && cents >= 0 && cents <= most)).toBe(
          true,
        );
      }),
    );
  });

  test('ignores thousands separators', () => {
    assert(
      property(nat(21_000_000), (whole) => {
        expect(parseMoney(whole.toLocaleString('en-US'), 'USD')).toBe(whole * 100);
      }),
    );
  });

  /**
   * With at most two decimals, `1,249` can only have a thousands separator, and our own pages write
   * it this way. `1.249` means the same to half of Europe and is a typo to the other half. A guess
   * would be wrong by a factor of a thousand, so the form asks for confirmation.
   */
  test('asks for confirmation if a price can be read in two ways', () => {
    expect(parseMoney('1,249', 'USD')).toBe(124_900);
    expect(parseMoney('1.249', 'USD')).toBeNull();
    expect(twoWaysToRead(' 1.249 € ', 'USD')).toBe('Write 1249 or 1.25: 1.249 could be either');
    for (const clear of ['1,249', '1.24', '1.249,00', '1.249.000', '0.999', 'free', '']) {
      expect(twoWaysToRead(clear, 'USD')).toBeNull();
    }
    assert(
      property(integer({ min: 1, max: 999 }), integer({ min: 0, max: 999 }), (whole, rest) => {
        const typed = `${whole}.${String(rest).padStart(3, '0')}`;
        expect(parseMoney(typed, 'USD')).toBeNull();
        expect(twoWaysToRead(typed, 'USD')).toContain(`: ${typed} could be either`);
      }),
    );
  });

  test('parses a price as any language formats it', () => {
    const languages =
      'en-US en-GB de-DE de-CH de-AT fr-FR fr-CH es-ES it-IT nl-NL pl-PL cs-CZ sv-SE da-DK nb-NO fi-FI pt-BR ro-RO tr-TR';
    const language = constantFrom(...languages.split(' '));
    const currency = constantFrom(...'USD EUR GBP CHF SEK DKK PLN CZK CAD BRL'.split(' '));
    assert(
      property(language, currency, integer({ min: 0, max: most }), (locale, code, cents) => {
        const typed = new Intl.NumberFormat(locale, {
          style: 'currency',
          currency: code,
          currencyDisplay: 'narrowSymbol',
        }).format(cents / 100);
        expect([typed, parseMoney(typed, 'USD')]).toEqual([typed, cents]);
      }),
    );
  });

  test("accepts exactly the prices that the input's pattern matches, in forms and feeds", () => {
    const inInput = new RegExp(`^(?:${moneyPattern('USD')})$`, 'v');
    const near = stringMatching(/^[$€]?1?\d?[.,' ]?\d{0,3}[.,' ]?\d{0,3}( ?(€|EUR))?$/);
    assert(
      property(near, (typed) => {
        const cents = parseMoney(typed, 'USD');
        expect(inInput.test(typed)).toBe(cents !== null);
        const fed = parseFeedPrice(typed, 'USD');
        expect(!cents || !fed.ok || fed.amount === cents).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('currencies without two decimals', () => {
  test.each([
    ['JPY', 0],
    ['KRW', 0],
    ['CLP', 0],
    ['ISK', 0],
    ['HUF', 2],
    ['IDR', 2],
    ['USD', 2],
    ['KWD', 3],
    ['TND', 3],
    ['CLF', 4],
  ])('uses the ISO 4217 exponent for %s: %i', (currency, exponent) => {
    expect(exponentOf(currency)).toBe(exponent);
  });

  test.each([
    ['JPY', 129_950, '¥129,950', '129950'],
    ['KRW', 5, '₩5', '5'],
    ['KWD', 1_299_500, 'KWD 1,299.500', '1299.500'],
    ['KWD', 5, 'KWD 0.005', '0.005'],
    ['HUF', 129_950, 'HUF 1,299.50', '1299.50'],
  ])('writes an amount in %s correctly', (currency, amount, shown, decimal) => {
    expect(formatMoney(amount, currency).replace('\u00A0', ' ')).toBe(shown);
    expect(toDecimal(amount, currency)).toBe(decimal);
    expect(fromNumber(Number(decimal), currency)).toBe(amount);
  });

  test.each([
    ['JPY', '1.249', 1_249],
    ['JPY', '1,249', 1_249],
    ['JPY', '¥129,950', 129_950],
    ['JPY', '1299.00', 1_299],
    ['JPY', '1.249.000,0', 1_249_000],
    ['JPY', '2147483647', most],
    ['KWD', '1.249', 1_249],
    ['KWD', '0,999', 999],
    ['KWD', '1,5', 1_500],
    ['KWD', '12.50 KWD', 12_500],
    ['KWD', '1,249.000', 1_249_000],
    ['KWD', '1.249,000', 1_249_000],
    ['KWD', '1.249.000', 1_249_000_000],
    ['KWD', '1 249,500', 1_249_500],
    ['KWD', '1249,500', 1_249_500],
  ])('parses a price in %s: %s', (currency, typed, amount) => {
    expect(parseMoney(typed, currency)).toBe(amount);
  });

  test.each([
    ['JPY', '12.50'],
    ['JPY', '2147483648'],
    ['KWD', '1,249'],
    ['KWD', '1.2495'],
    ['KWD', '2147483.648'],
  ])('refuses a price in %s: %s', (currency, typed) => {
    expect(parseMoney(typed, currency)).toBeNull();
  });

  test('asks for confirmation only if a price in the currency can be read in two ways', () => {
    expect(twoWaysToRead('1.249', 'JPY')).toBeNull();
    expect(twoWaysToRead('1.249', 'KWD')).toBeNull();
    expect(twoWaysToRead('1,249 KWD', 'KWD')).toBe('Write 1249 or 1.249: 1,249 could be either');
    expect(['JPY', 'USD', 'KWD'].map(examplePrice)).toEqual(['1999', '19.99', '19.999']);
  });

  test('writes any amount in each currency so that it can be parsed back and matches the input’s pattern', () => {
    const currency = constantFrom('JPY', 'KRW', 'CLP', 'USD', 'HUF', 'KWD', 'TND', 'CLF');
    assert(
      property(currency, integer({ min: 1, max: most }), (code, amount) => {
        const decimal = toDecimal(amount, code);
        expect(parseMoney(decimal, code)).toBe(amount);
        expect(parseMoney(formatMoney(amount, code), code)).toBe(amount);
        expect(new RegExp(`^(?:${moneyPattern(code)})$`, 'v').test(decimal)).toBe(true);
        expect(parseFeedPrice(`${decimal} ${code}`, 'USD')).toEqual({
          ok: true,
          amount,
          currency: code,
        });
        expect(fromNumber(Number(decimal), code)).toBe(amount);
      }),
    );
  });
});
