import { describe, expect, test } from 'vitest';
import { checkFeedRow } from './check-feed-row.ts';
import { readFeed } from './read-feed.server.ts';
import { readNetContents } from './read-net-contents.ts';

function read(net_contents?: string, unit_base?: string) {
  const notes: string[] = [];
  const values = {
    ...(net_contents !== undefined && { net_contents }),
    ...(unit_base !== undefined && { unit_base }),
  };
  return [readNetContents(values, notes), notes];
}

describe('the net contents of a feed', () => {
  test.each([
    ['750ml', undefined, '750 ml'],
    ['225 g', '100 g', '225 g per 100 g'],
    ['1.5 kg', 'kg', '1.5 kg per 1 kg'],
    ['67.628 floz', '1 floz', '67.628 floz per 1 floz'],
    ['3 sqft', '1sqm', '3 sqft per 1 sqm'],
    ['0.33814 floz', undefined, '0.338 floz'],
    ['12 sheet', undefined, '12 ct'],
    ['700 g', '0.0', '700 g'],
    ['700 g per 100 g', undefined, '700 g per 100 g'],
    ['700 g per 100 g', '1 kg', '700 g per 1 kg'],
  ])('reads %s with the base %s as %s', (text, base, stored) => {
    expect(read(text, base)).toEqual([stored, []]);
  });

  test.each([undefined, '', '0.0', '0 g', 'n/a'])(
    'finds no net contents in %j and adds no note',
    (text) => {
      expect(read(text)).toEqual([null, []]);
    },
  );

  test.each(['700', '700 grms', '4 TB', '1,500 g', '12.84 EUR/kg'])(
    'omits %s with a note',
    (text) => {
      expect(read(text)).toEqual([
        null,
        [`imported without its net contents: not an amount such as 700 g: ${text}`],
      ]);
    },
  );

  test.each(['3 g', '100 ml', '100 g/kg'])('omits the base %s with a note', (base) => {
    expect(read('700 g', base)).toEqual([
      '700 g',
      [`imported without its base of the unit price: not one such as 100 g: ${base}`],
    ]);
  });
});

describe('the formats with net contents', () => {
  const product = { offerId: '1', title: 'Tea' };
  const base = { value: 100, unit: 'g' };
  const measures = {
    unitPricingMeasure: { value: 225, unit: 'g' },
    unitPricingBaseMeasure: base,
  };
  const link = 'https://shop.example/tea';

  test.each([
    [
      'google',
      `id\ttitle\tlink\tprice\tunit_pricing_measure\tunit_pricing_base_measure\n1\tTea\t${link}\t9 USD\t225 g\t100 g\n`,
    ],
    [
      'content-api',
      JSON.stringify({
        kind: 'content#productsListResponse',
        resources: [{ ...product, link, price: { value: '9', currency: 'USD' }, ...measures }],
      }),
    ],
    [
      'merchant-api',
      JSON.stringify({
        products: [
          {
            offerId: '1',
            productAttributes: {
              title: 'Tea',
              link,
              price: { amountMicros: '9000000', currencyCode: 'USD' },
              ...measures,
            },
          },
        ],
      }),
    ],
    [
      'shopify-csv',
      'Handle,Title,Body (HTML),Variant Price,Variant Compare At Price,Unit Price Total Measure,Unit Price Total Measure Unit,Unit Price Base Measure,Unit Price Base Measure Unit\ntea,Tea,Fine,9.00,,225,g,100,g\n',
    ],
    [
      'shopify-csv-2025',
      'Title,URL handle,Price,Compare-at price,Unit price total measure,Unit price total measure unit,Unit price base measure,Unit price base measure unit\nTea,tea,9.00,,225,g,100,g\n',
    ],
  ])('reads amount and base from %s', async (format, content) => {
    async function* chunks() {
      yield await Promise.resolve(Buffer.from(content));
    }
    const feed = await readFeed(chunks(), {
      sizeLimits: { rawBytes: 1_000_000, unpackedBytes: 1_000_000 },
    });
    expect(feed.format).toContain(format);
    const found = [];
    for await (const row of feed.rows) {
      const rules = { currency: 'USD', now: new Date(), shop: 'https://shop.example' };
      found.push(checkFeedRow(row, rules));
    }
    expect(found).toMatchObject([{ ok: true, row: { net_contents: '225 g per 100 g' } }]);
  });
});
