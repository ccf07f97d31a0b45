import { describe, expect, test } from 'vitest';
import { checkFeedRow } from './check-feed-row.ts';
import { isWithinDates, parseFeedDate } from './feed-dates.ts';
import type { FeedMapping } from './feed-fields.ts';
import { readFeed } from './read-feed.server.ts';

const rules = { currency: 'EUR', now: new Date('2026-11-26T12:00Z') };
const sizeLimits = { rawBytes: 1_000_000, unpackedBytes: 1_000_000 };

async function read(text: string, mapping: FeedMapping = {}): Promise<string[]> {
  async function* bytes() {
    yield Buffer.from(text);
  }
  const feed = await readFeed(bytes(), { sizeLimits, mapping });
  const rows = await Array.fromAsync(feed.rows);
  return rows.map((row) => {
    const checked = checkFeedRow(row, rules);
    if (!checked.ok) return checked.reason;
    const { sale_price, original_price } = checked.row;
    return original_price === null ? `${sale_price}` : `${sale_price} was ${original_price}`;
  });
}

const table = (names: string, ...rows: string[]) =>
  [`sku;name;url;${names}`, ...rows.map((row) => `1;Tent;https://shop.example/1;${row}`)].join(
    '\n',
  );

const xml = (prices: string) =>
  `<products><product><id>1</id><name>Tent</name><url>https://shop.example/1</url>${prices}</product>
<product><id>2</id><name>Tent</name><url>https://shop.example/2</url>${prices}</product></products>`;

const json = (prices: object) =>
  JSON.stringify([{ id: '1', name: 'Tent', url: 'https://shop.example/1', ...prices }]);

describe('a price labeled "with tax"', () => {
  test.each([
    ['price;price_with_vat', '100;121', '12100'],
    ['price_with_vat;price', '121;100', '12100'],
    ['price_net;price_gross', '100;121', '12100'],
    ['net_price;price', '100;121', '12100'],
    ['prijs_excl_btw;prijs_incl_btw', '100,00;121,00', '12100'],
    ['preis;bruttopreis', '100;119', '11900'],
    ['Price;Price (incl. VAT)', '100;121', '12100'],
    ['price;sale_price;sale_price_incl_tax;price_incl_tax', '100;80;96,80;121', '9680 was 12100'],
    ['price;price_vat;old_price;old_price_vat', '100;121;150;181,50', '12100 was 18150'],
  ])('prefers a price "with tax" in a table: %s', async (names, row, expected) => {
    expect(await read(table(names, row))).toEqual([expected]);
  });

  test('prefers a price "with tax" in XML and JSON', async () => {
    const prices = '<price>100</price><price_with_vat>121</price_with_vat>';
    expect(await read(xml(prices))).toEqual(['12100', '12100']);
    expect(await read(json({ price: 100, priceWithVat: 121 }))).toEqual(['12100']);
  });

  test('ignores a price "with tax" when the user chose another column', async () => {
    const mapping = { original_price: 'price' };
    expect(await read(table('price;price_with_vat', '100;121'), mapping)).toEqual(['10000']);
  });
});

describe('an old price', () => {
  test.each([
    ['price;price_old', '19;36', '1900 was 3600'],
    ['price;original-price;sale-price', '100;150;80', '8000 was 10000'],
    ['price;original-price;sale-price', '100;150;', '10000 was 15000'],
    ['price;original-price;sale-price', '100;150;-', '10000 was 15000'],
    ['price_pc;normal_price', '80;100', '8000 was 10000'],
    ['prezzo_vendita;prezzo_originale', '80;100', '8000 was 10000'],
    ['price;old_price', '-;100', 'no price'],
    ['sale_price;old_price', ';100', 'no price'],
  ])(
    'neither loses an old price in a table nor reads it as the current one: %s, %s',
    async (names, row, expected) => {
      expect(await read(table(names, row))).toEqual([expected]);
    },
  );

  test('does not read an old price as the current one when there is no other', async () => {
    await expect(read(table('old_price;cost', '100;80'))).rejects.toThrow(
      'no column was found for sale_price',
    );
    expect(await read(xml('<old_price>100</old_price>'))).toEqual(['no price', 'no price']);
  });

  test('reads an old price next to a sale price of zero in XML', async () => {
    const prices = '<price>80</price><old_price>100</old_price><sale_price>0</sale_price>';
    expect(await read(xml(prices))).toEqual(['8000 was 10000', '8000 was 10000']);
  });
});

describe('a price object in unknown JSON', () => {
  const doubt =
    'sale price is ambiguous, whole or in minor units: 1500 EUR; choose the decimal mark in the source’s settings';
  test.each([
    [{ price: { amount: 1599, divisor: 100, currency_code: 'EUR' } }, '1599'],
    [{ price: { amount: 1500, divisor: 100, currency_code: 'EUR' } }, '1500'],
    [{ price: { amount: '15.99', currency: 'EUR' } }, '1599'],
    [{ price: { value: '15.99', currency: 'EUR' } }, '1599'],
    [{ sale_price: { amount: 1500, currency: 'EUR' } }, doubt],
    [{ sale_price: { value: 1500, currency: 'EUR' } }, doubt],
    [{ sale_price: 1500, currency: 'EUR' }, '150000'],
  ])('divides, reads or rejects a price object in unknown JSON: %j', async (prices, expected) => {
    expect(await read(json(prices))).toEqual([expected]);
  });
});

test.each([
  ['26/11/2026 - 30/11/2026', true],
  ['27/11/2026 - 30/11/2026', false],
  ['20261120/20261130', true],
  ['20261120T130000Z/20261126T1100Z', false],
  ['2026-11-20 to 2026-11-26', true],
  ['11/05/2026 - 12/05/2026', null],
  ['garbage', null],
])('reads the dates of a sale: %s', (dates, isOn) => {
  expect(isWithinDates(dates, rules.now)).toBe(isOn);
});

test('reads dates in the basic format of ISO 8601', () => {
  expect(parseFeedDate('20261130', 'end')?.toISOString()).toBe('2026-11-30T23:59:59.000Z');
  expect(parseFeedDate('20261130T0930+0100')?.toISOString()).toBe('2026-11-30T08:30:00.000Z');
  expect(parseFeedDate('20261131')).toBeNull();
});
