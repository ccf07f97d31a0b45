import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { checkFeedRow } from './check-feed-row.ts';
import { readFeed } from './read-feed.server.ts';

async function read(text: string) {
  async function* chunks() {
    yield new TextEncoder().encode(text);
  }
  const sizeLimits = { rawBytes: 1_000_000, unpackedBytes: 1_000_000 };
  const { rows } = await readFeed(chunks(), { sizeLimits });
  const rules = { currency: 'EUR', now: new Date('2026-06-01'), groupsVariants: true };
  return (await Array.fromAsync(rows)).map((row) => {
    const checked = checkFeedRow(row, rules);
    return checked.ok ? checked.row : checked.reason;
  });
}

test('prefers a product’s affiliate link to its plain one', async () => {
  const product = {
    id: 'c1',
    title: 'Jacket',
    link: 'https://shop.example/p/1',
    linkCode: { clickUrl: 'https://cj.example/click-1' },
    price: { amount: '99.00', currency: 'EUR' },
  };
  const cj = JSON.stringify({ data: { products: { resultList: [product] } } });
  expect(await read(cj)).toMatchObject([{ deal_url: 'https://cj.example/click-1' }]);
  const item = {
    itemId: 7,
    name: 'Phone',
    salePrice: 5,
    productUrl: 'https://shop.example/7',
    productTrackingUrl: 'https://goto.example/c/1?u=https%3A%2F%2Fshop.example%2F7',
  };
  expect(await read(JSON.stringify({ items: [item] }))).toMatchObject([
    { deal_url: 'https://goto.example/c/1?u=https%3A%2F%2Fshop.example%2F7' },
  ]);
});

const yml = (offers: string) =>
  `<?xml version="1.0" encoding="UTF-8"?><yml_catalog><shop><offers>${offers}</offers></shop></yml_catalog>`;
const offer = (parts: string) =>
  `<offer id="1"><url>https://shop.example/1</url><price>5</price><currencyId>EUR</currencyId>${parts}</offer>`;

test.each([
  [
    '<typePrefix>Hair dryer</typePrefix><vendor>Rowen</vendor><model>PA-1</model>',
    'Hair dryer Rowen PA-1',
  ],
  ['<model>PA-1</model><vendor>Rowen</vendor>', 'Rowen PA-1'],
  ['<typePrefix>Phone</typePrefix><vendor>Acme</vendor><model>Acme X1</model>', 'Phone Acme X1'],
  [
    '<typePrefix>Kettle</typePrefix><vendor>Ost</vendor><model>Kettle Ost 2</model>',
    'Kettle Ost 2',
  ],
  ['<model>PA-1</model>', 'PA-1'],
  [
    '<name>Dryer PA-1</name><typePrefix>Dryer</typePrefix><vendor>R</vendor><model>P</model>',
    'Dryer PA-1',
  ],
])('builds the title of a YML offer from %s', async (parts, title) => {
  expect(await read(yml(offer(parts)))).toMatchObject([{ title }]);
});

test('identifies products without ids by their link in every format', async () => {
  const url = new URL('./fixtures/heureka-xml.xml', import.meta.url);
  const heureka = (await readFile(url, 'utf8')).replace(/<ITEM_ID>.*?<\/ITEM_ID>/g, '');
  expect(heureka).not.toContain('ITEM_ID');
  const rows = await read(heureka.replaceAll('CZK', 'EUR'));
  expect(rows).toMatchObject([{ external_id: expect.stringMatching(/^https:\/\//) }, {}]);
  const etsy = {
    results: [{ title: 'Cup', url: 'https://etsy.example/listing/1?ref=x', price: 5 }],
  };
  expect(await read(JSON.stringify(etsy))).toMatchObject([
    { external_id: 'https://etsy.example/listing/1?ref=x' },
  ]);
});
