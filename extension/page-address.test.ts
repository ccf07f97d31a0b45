import { expect, test } from 'vitest';
import { productLink } from './page-address.ts';

const page = 'https://www.shop.example/p/lamp?color=red';

test.each([
  [page, '', page],
  [page, '/p/lamp', 'https://www.shop.example/p/lamp'],
  [page, 'https://shop.example/p/lamp?id=5', 'https://shop.example/p/lamp?id=5'],
  [page, 'https://other.example/p/chair', page],
  [page, 'javascript:alert(1)', page],
  [page, 'http://[', page],
  ['https://ann:secret@shop.example/p/1#reviews', '', 'https://shop.example/p/1'],
])(
  'identifies the product at %s with the canonical link “%s” as %s',
  (address, canonical, link) => {
    expect(productLink(address, canonical)).toBe(link);
  },
);

test.each([
  'token=1',
  'access_token=1',
  'sid=1',
  'PHPSESSID=1',
  'session_id=1',
  'email=ann@home.example',
  'mail=x',
  'orderId=1',
  'user=ann',
  'auth=x',
  'to=ann%40home.example',
  'utm_source=mail',
  'gclid=1',
  'uid=5',
  'phone=123',
  'jwt=x',
  'next=https%3A%2F%2Fshop.example%2Fo%3Ftoken%3D5',
  'next=/o?email=ann',
  'next=%252Fo%253Femail%253Dann',
  'x=1%26token%3D5',
  'x=1;token=5',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln',
  'x=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln',
])('removes the parameter %s', (parameter) => {
  const link = `https://shop.example/p/lamp?id=5&${parameter}&color=red`;
  expect(productLink(link, '')).toBe('https://shop.example/p/lamp?id=5&color=red');
});

test('cleans a canonical link too, and keeps other parameters', () => {
  const canonical = '/p/lamp?id=5&next=%2Fo%3Fsid%3D1&size=a%2Bb#token=1';
  expect(productLink(page, canonical)).toBe('https://www.shop.example/p/lamp?id=5&size=a%2Bb');
});

test.each([
  'chrome://extensions/',
  'view-source:https://shop.example/p/1',
  'blob:https://shop.example/5',
  'about:blank',
  'file:///home/ann/page.html',
  'http://localhost/p/1',
  'http://192.168.1.1/p/1',
  'http://[::1]/p/1',
  'http://shop.internal/p/1',
  'http://printer/p/1',
  '',
])('identifies no product for %s, which is not on the web', (address) => {
  expect(productLink(address, 'https://shop.example/p/lamp')).toBeNull();
});

test('drops the parameters of a link that is too long, or the link if that is not enough', () => {
  const long = 'x'.repeat(1_400);
  expect(productLink(`https://shop.example/p?q=${long}`, '')).toBe('https://shop.example/p');
  expect(productLink(`https://shop.example/${long}`, '')).toBeNull();
});
