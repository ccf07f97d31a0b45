import { expect, test } from 'vitest';
import { checkUrl, safeUrl } from './safe-url.ts';

test('R16: an address is stored the way the URL standard writes it', () => {
  expect(safeUrl(' HTTPS://Shop.Example/a b?q="x"#top ')).toBe(
    'https://shop.example/a%20b?q=%22x%22#top',
  );
});

test.each([
  ['javascript:alert(1)', 'is not an http(s) address: javascript:alert(1)'],
  ['data:text/html,x', 'is not an http(s) address: data:text/html,x'],
  ['/relative', 'is not an http(s) address: /relative'],
  ['https://me:secret@shop.example/', 'carries a user name or password'],
  ['https://shop.example/\u0000', 'contains control characters'],
  ['https://shop.example/\njavascript:', 'contains control characters'],
  [`https://shop.example/${'a'.repeat(2_048)}`, 'is longer than 2048 characters'],
  [`https://shop.example/${'ü'.repeat(1_000)}`, 'is longer than 2048 characters'],
  ['', 'is empty'],
])('R16: %s is refused', (text, reason) => {
  expect(checkUrl(text)).toEqual({ ok: false, reason });
  expect(safeUrl(text)).toBeNull();
});
