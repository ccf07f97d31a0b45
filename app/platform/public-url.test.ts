import { expect, test } from 'vitest';
import { requirePublicHost } from './public-url.server.ts';
import { checkUrl } from './safe-url.ts';

const check = (text: string) => requirePublicHost(checkUrl(text));

test.each([
  'https://shop.example/p/1',
  'https://shop.example.:8443/p?u=http://localhost/',
  'https://münchen.example/',
  'https://93.184.216.34/p',
  'https://[2606:2800:220:1::1]/p',
])('accepts the public URL %s', (address) => {
  expect(check(address).ok).toBe(true);
});

test.each([
  ['https://https://shop.example/8', 'https'],
  ['http://localhost/9', 'localhost'],
  ['http://shop.localhost./9', 'shop.localhost'],
  ['https://shop/15', 'shop'],
  ['https://nas.local/1', 'nas.local'],
  ['http://10.0.0.1/', '10.0.0.1'],
  ['http://192.168.1.2:8080/', '192.168.1.2'],
  ['http://169.254.169.254/', '169.254.169.254'],
  ['http://0x7f.1/', '127.0.0.1'],
  ['http://[::1]/', '[::1]'],
  ['http://[fe80::1]/', '[fe80::1]'],
  ['http://[::ffff:10.0.0.1]/', '[::ffff:a00:1]'],
])('refuses the public URL %s', (address, host) => {
  const reason = `points to ${host}, which is not on the public internet`;
  expect(check(address)).toEqual({ ok: false, reason });
});

test('keeps the reason why an address is not public', () => {
  expect(check('javascript:alert(1)')).toEqual(checkUrl('javascript:alert(1)'));
});
