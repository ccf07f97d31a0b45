import { assert, property, string, webUrl } from '#test/fast-check.ts';
import { expect, test } from 'vitest';
import { outboundUrl } from './affiliate-url.ts';

const shop = 'https://shop.example/p/1?size=m';
const through = (affiliate_template: string | null, affiliate_sub_id: string | null = null) =>
  outboundUrl(shop, { affiliate_template, affiliate_sub_id }, 7);

test('keeps the stored link of a merchant without a template', () => {
  expect(through(null)).toBe(shop);
  expect(through('  ')).toBe(shop);
});

test('puts the encoded URL, the deal and the sub-id into a deep link', () => {
  expect(through('https://go.example/?u={url}&d={deal_id}&s={sub_id}', 'a b&c')).toBe(
    'https://go.example/?u=https%3A%2F%2Fshop.example%2Fp%2F1%3Fsize%3Dm&d=7&s=a%20b%26c',
  );
});

test('allows the deal’s id inside the sub-id too', () => {
  expect(through('?tag={sub_id}&d={deal_id}', 'site-{deal_id}')).toBe(`${shop}&tag=site-7&d=7`);
});

test('adds a suffix’s parameters to the URL’s own parameters', () => {
  expect(through('?tag=name-20')).toBe(`${shop}&tag=name-20`);
  expect(through('&tag={sub_id}', 'x-21')).toBe(`${shop}&tag=x-21`);
});

test('ignores a template that yields no http(s) URL', () => {
  for (const template of [
    '{url}',
    'javascript:alert(1)//{url}',
    'ftp://x/{url}',
    'https://go.example/',
  ]) {
    expect([template, through(template)]).toEqual([template, shop]);
  }
});

test('produces an http(s) URL from any template', () => {
  assert(
    property(webUrl(), string(), string(), (url, template, subId) => {
      const merchant = { affiliate_template: template, affiliate_sub_id: subId };
      expect(new URL(outboundUrl(url, merchant, 1)).protocol).toMatch(/^https?:$/);
    }),
  );
});
