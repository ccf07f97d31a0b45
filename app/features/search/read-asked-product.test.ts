import { expect, test } from 'vitest';
import { askedMessages, readAskedProduct } from './read-asked-product.server.ts';

const origin = 'https://deals.example';
const read = (parameters: Record<string, string>) =>
  readAskedProduct(new URLSearchParams(parameters), origin);

test.each([
  ['javascript:alert(1)', askedMessages.notWeb],
  ["javascript:alert('https://shop.example/p/1')", askedMessages.notWeb],
  ['ftp://shop.example/p', askedMessages.notWeb],
  ['data:text/html,hi', askedMessages.notWeb],
  ['headphones', askedMessages.missing],
  ['http://localhost/admin', askedMessages.missing],
  ['http://127.0.0.1/admin', askedMessages.missing],
  ['http://[::1]/admin', askedMessages.missing],
  ['https://user:secret@shop.example/p', askedMessages.credentials],
  [`https://shop.example/${'a'.repeat(5_000)}`, askedMessages.tooLong],
  ['https://deals.example/deals/lamp', askedMessages.own],
])('rejects the pasted text %.60s with a reason', (url, error) => {
  expect(read({ url })).toEqual({ state: 'wrong', typed: url.slice(0, 2_000), error });
});

test('rejects a share without a link, or with a text of 5,000 characters', () => {
  expect(read({ title: 'Desk lamp' })).toMatchObject({ error: askedMessages.missing });
  const text = `https://shop.example/p/1 ${'a'.repeat(5_000)}`;
  expect(read({ text })).toMatchObject({ error: askedMessages.tooLong });
});

test('returns `empty` when nothing was pasted', () => {
  expect(read({})).toEqual({ state: 'empty' });
  expect(read({ url: '  ', price: '5' })).toEqual({ state: 'empty' });
});

test.each([
  [{ url: 'https://www.shop.example/p/desk-lamp?id=5', title: 'Red lamp' }],
  [{ url: 'www.shop.example/p/desk-lamp?id=5', title: 'Red lamp' }],
  [{ url: 'shop.example/p/desk-lamp?id=5', title: 'Red lamp' }],
  [{ title: 'Red lamp', text: 'Look (https://www.shop.example/p/desk-lamp?id=5).' }],
  [{ title: 'Red lamp https://www.shop.example/p/desk-lamp?id=5' }],
])('finds the link in %j', (parameters) => {
  expect(read(parameters)).toMatchObject({
    state: 'asked',
    product: { host: 'shop.example', rest: '/p/desk-lamp?id=5', words: 'Red lamp' },
  });
});

test('uses the words of the URL when there is no title', () => {
  const url = 'https://shop.example/p/5/usb-c-cable.html';
  expect(read({ url })).toMatchObject({ product: { words: 'usb c cable', gtins: [] } });
});

test('reads valid article numbers of the URL and the texts', () => {
  const url = 'https://shop.example/p/4006381333931?ref=4006381333932';
  const text = 'EAN: 96385074, order 96385074';
  expect(read({ url, text })).toMatchObject({ product: { gtins: ['4006381333931', '96385074'] } });
  const plain = 'https://shop.example/p/96385074';
  expect(read({ url: plain })).toMatchObject({ product: { gtins: [] } });
});
