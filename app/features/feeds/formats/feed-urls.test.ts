import { expect, test } from 'vitest';
import { checkFeedRow } from './check-feed-row.ts';
import { readAvailability } from './read-availability.ts';
import { completeUrl, listPictures } from './feed-urls.ts';

const shop = 'https://shop.example';

test.each([
  ['https://x.example/1', 'https://x.example/1'],
  ['//x.example/1', 'https://x.example/1'],
  ['www.x.example/1', 'https://www.x.example/1'],
  ['/p/1', 'https://shop.example/p/1'],
  ['p/1?a=b', 'https://shop.example/p/1?a=b'],
  ['{shop}/products/cup', 'https://shop.example/products/cup'],
  ['shop.example/p/3', 'https://shop.example/p/3'],
  ['Shop.Example', 'https://Shop.Example'],
  ['shop.example.html', 'https://shop.example/shop.example.html'],
  ['https://x.example/p?a=1&amp;b=2&#38;c=3&#x26;d=4', 'https://x.example/p?a=1&b=2&c=3&d=4'],
  ['javascript:alert(1)', 'javascript:alert(1)'],
  ['', ''],
])('expands %s to the URL %s', (text, url) => {
  expect(completeUrl(text, shop)).toBe(url);
});

test('leaves invalid URLs unchanged if the shop is unknown', () => {
  expect(completeUrl('/p/1', null)).toBe('/p/1');
  expect(completeUrl('{shop}/p', undefined)).toBe('{shop}/p');
});

const a = 'https://img.example/a.jpg';
const b = 'http://img.example/b.jpg?w=1,2';
test.each([
  a,
  `${a},${b}`,
  `${a}; ${b}`,
  `${a}|${b}`,
  `${a}\n${b}`,
  `${a}${b}`,
  `${a}::`,
  `${a}::${b}::`,
  `["${a}","${b}"]`,
  `[{"src":"${a}"},{"src":"${b}"}]`,
  `{"url":"${a}"}`,
])('returns the first picture of %j', (text) => {
  expect(listPictures(text)[0]).toBe(a);
});

test('rejects links and omits pictures that visitors cannot reach', () => {
  const check = (deal_url: string, image_url: string) =>
    checkFeedRow(
      { line: 1, values: { external_id: '1', title: 'Cup', sale_price: '5', deal_url, image_url } },
      { currency: 'USD', now: new Date('2026-06-01'), shop },
    );
  expect(check('https://https://shop.example/8', a)).toMatchObject({
    reason: 'link points to https, which is not on the public internet',
  });
  expect(check('/p?a=1&amp;b=2', 'http://localhost/1.jpg')).toMatchObject({
    row: { deal_url: 'https://shop.example/p?a=1&b=2', image_url: null },
    notes: [
      'imported without its picture: image link points to localhost, which is not on the public internet',
    ],
  });
});

test('uses the first usable picture, over HTTPS', () => {
  const values = { external_id: '1', title: 'Cup', deal_url: `${shop}/1`, sale_price: '5' };
  const pictureOf = (image_url: string) => {
    const checked = checkFeedRow(
      { line: 1, values: { ...values, image_url } },
      { currency: 'USD', now: new Date('2026-06-01') },
    );
    return checked.ok ? checked.row.image_url : checked.reason;
  };
  expect(pictureOf(`ftp://x.example/a.jpg,${b}`)).toBe('https://img.example/b.jpg?w=1,2');
  expect(pictureOf('[]')).toBeNull();
});

test('reads a code by itself, in a list, or between symbols', () => {
  const codeOf = (gtin: string) => {
    const values = { external_id: '1', title: 'Cup', deal_url: `${shop}/1`, sale_price: '5', gtin };
    const checked = checkFeedRow({ line: 1, values }, { currency: 'USD', now: new Date() });
    return checked.ok ? checked.row.gtin : checked.reason;
  };
  for (const text of [
    '4006381333931',
    '400-6381-333931',
    "'4006381333931",
    '4006381333931,4006381333948',
    'n/a; 4006381333931',
    '["4006381333931"]',
    '4006381333931 4006381333948',
    '4006381333931.0',
  ]) {
    expect([text, codeOf(text)]).toEqual([text, '4006381333931']);
  }
  expect(codeOf('12345')).toBeNull();
});

test.each([
  ['auf Lager', 'in_stock'],
  ['En stock', 'in_stock'],
  ['op voorraad', 'in_stock'],
  ['100.0000', 'in_stock'],
  ['10+', 'in_stock'],
  ['> 10', 'in_stock'],
  ['Rupture de stock', 'out_of_stock'],
  ['ausverkauft', 'out_of_stock'],
  ['0.0000', 'out_of_stock'],
  ['-3', 'out_of_stock'],
  ['preorder', 'unknown'],
])('reads the stock word %s as %s', (word, stock) => {
  expect(readAvailability(word)).toBe(stock);
});
