import { expect, test } from 'vitest';
import { checkPictureUrl, checkUrl, pictureAddress, safeUrl } from './safe-url.ts';

// Proves R16: stored addresses
test('R16: stores a URL in the form of the URL standard', () => {
  expect(safeUrl(' HTTPS://Shop.Example/a b?q="x"#top ')).toBe(
    'https://shop.example/a%20b?q=%22x%22#top',
  );
});

test.each([
  ['javascript:alert(1)', 'is not an http(s) address: javascript:alert(1)'],
  ['data:text/html,x', 'is not an http(s) address: data:text/html,x'],
  ['/relative', 'is not an http(s) address: /relative'],
  ['https://me:secret@shop.example/', 'contains a user name or password'],
  ['https://shop.example/\u0000', 'contains control characters'],
  ['https://shop.example/\njavascript:', 'contains control characters'],
  [`https://shop.example/${'a'.repeat(2_048)}`, 'is longer than 2048 characters'],
  [`https://shop.example/${'ü'.repeat(1_000)}`, 'is longer than 2048 characters'],
  ['', 'is empty'],
])('R16: refuses the URL %s', (text, reason) => {
  expect(checkUrl(text)).toEqual({ ok: false, reason });
  expect(safeUrl(text)).toBeNull();
});

// Proves R18: content policy and headers (server/security-headers.ts)
test("R18: changes a picture's URL to https, which pages may load", () => {
  const kept = { ok: true, url: 'https://img.example/a.png' };
  for (const address of [
    'https://img.example/a.png',
    ' http://IMG.example/a.png',
    'http://img.example:80/a.png',
  ])
    expect(checkPictureUrl(address)).toEqual(kept);
  const refused = { ok: false, reason: 'is not an https address' };
  expect(checkPictureUrl('http://img.example:8080/a.png')).toEqual(refused);
  expect(checkPictureUrl('ftp://img.example/a.png').ok).toBe(false);
  const longest = `http://img.example/${'a'.repeat(2_048 - 'http://img.example/'.length)}`;
  expect(checkUrl(longest).ok).toBe(true);
  expect(checkPictureUrl(longest)).toEqual({ ok: false, reason: 'is longer than 2048 characters' });
});

test('accepts a typed picture URL on this site', () => {
  expect(pictureAddress(' /media/demo/lamp-640.webp ')).toBe('/media/demo/lamp-640.webp');
  expect(pictureAddress('http://img.example/a.png')).toBe('https://img.example/a.png');
  for (const text of ['', 'https://', '/media/../a', '/deals', 'javascript:x'])
    expect(pictureAddress(text)).toBeNull();
});
