import { expect, test } from 'vitest';
import { maskMailAddress, readMailAddress } from './mail-address.server.ts';

test.each([
  ['me@shop.example', 'me@shop.example'],
  ['  Me.Too+deals@Shop.Example ', 'Me.Too+deals@shop.example'],
  ["o'brien@shop.example", "o'brien@shop.example"],
  ['me@bücher.example', 'me@xn--bcher-kva.example'],
])('accepts %j as one plain address', (text, address) => {
  expect(readMailAddress(text)).toBe(address);
});

test.each([
  '',
  'me',
  'me@localhost',
  '@shop.example',
  'me@',
  'me@@shop.example',
  'a@x.example, b@x.example',
  'a@x.example;b@x.example',
  'a@x.example b@x.example',
  'Me <me@shop.example>',
  '"me"@shop.example',
  '"a@evil.example"@shop.example',
  'me(comment)@shop.example',
  'me@shop.example(comment)',
  'group: me@shop.example;',
  'me@[127.0.0.1]',
  'me@127.0.0.1',
  'me@shop.example\r\nBcc: all@shop.example',
  'me\n@shop.example',
  'me\0@shop.example',
  'me@shop.example%0d%0aBcc:x',
  'me@shop..example',
  '.me@shop.example',
  'me.@shop.example',
  'm..e@shop.example',
  'me@-shop.example',
  '<me@shop.example>',
  '@relay.example:me@shop.example',
  'me@shop.example.',
  `${'a'.repeat(65)}@shop.example`,
  `me@${'a.'.repeat(130)}example`,
  null,
  ['me@shop.example'],
])('refuses the address %j', (text) => {
  expect(readMailAddress(text)).toBeNull();
});

test('logs enough to recognize an address and too little to write to it', () => {
  expect(maskMailAddress('somebody@shop.example')).toBe('s…@shop.example');
});
