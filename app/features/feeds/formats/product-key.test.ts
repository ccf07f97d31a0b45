import { expect, test } from 'vitest';
import { isLinkId, linkKey, readProductId } from './product-key.ts';

test.each([
  ['https://shop.example/p/1?sid=abc1&utm_campaign=day1', 'https://shop.example/p/1'],
  ['http://www.shop.example/p/1/', 'https://shop.example/p/1'],
  ['https://shop.example/p;jsessionid=AB12?id=7', 'https://shop.example/p?id=7'],
  ['https://shop.example/p?PHPSESSID=x&id=7&gclid=y', 'https://shop.example/p?id=7'],
  ['https://shop.example/?variant=2&p=81&fbclid=z', 'https://shop.example/?p=81&variant=2'],
  ['https://shop.example/p?sku=A%20b&clickref=9', 'https://shop.example/p?sku=A%20b'],
  ['https://shop.example/p/11#size=L', 'https://shop.example/p/11#size=L'],
  ['https://shop.example/p/11#utm_source=x', 'https://shop.example/p/11'],
  [
    'https://net.example/c?awinaffid=1&clickref=2&ued=https%3A%2F%2Fshop.example%2Fp%3Fid%3D1%26sid%3D9',
    'https://net.example/c?ued=https%3A%2F%2Fshop.example%2Fp%3Fid%3D1',
  ],
  ['https://shop.example/p?u=https%3A%2F%2F%', 'https://shop.example/p?u=https%3A%2F%2F%'],
  ['https://shop.example/p?b=2&a=1', 'https://shop.example/p?a=1&b=2'],
  ['no link', 'no link'],
])('identifies %s by %s', (link, key) => {
  expect(linkKey(link)).toBe(key);
  expect(linkKey(key)).toBe(key);
});

test('keeps every parameter of a link if requested', () => {
  expect(linkKey('http://shop.example/p?sid=1', true)).toBe('https://shop.example/p?sid=1');
});

test('returns a feed’s own id, or else the end of the link', () => {
  const link = 'https://shop.example/p?sid=1';
  expect(readProductId({ external_id: ' A 1 ', deal_url: link }, link)).toBe('A 1');
  expect(readProductId({ external_id: link, deal_url: link }, link)).toBe('https://shop.example/p');
  const path = { external_id: '/p?sid=1', deal_url: '/p?sid=1' };
  expect(readProductId(path, link)).toBe('/p');
  expect(readProductId({}, link)).toBe('');
  const long = `https://shop.example/${'a'.repeat(300)}/7`;
  const id = readProductId({ external_id: long, deal_url: long }, long);
  expect(id).toHaveLength(255);
  expect(id.endsWith('/7')).toBe(true);
  for (const one of [id, '/p']) expect(isLinkId(one, one === id ? long : link)).toBe(true);
  expect(isLinkId('A 1', link)).toBe(false);
});
