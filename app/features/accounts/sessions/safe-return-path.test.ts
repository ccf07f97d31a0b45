import { expect, test } from 'vitest';
import { safeReturnPath } from './safe-return-path.ts';

// Proves R28: click-out (app/api/out-route.ts)
test('R28: the way back after signing in never leaves the site', () => {
  for (const path of [
    '//evil.example',
    '/\\evil.example',
    '/..//evil.example',
    '/\t/evil.example',
    '/.//evil.example',
    'https://evil.example/',
    'javascript:alert(1)',
    'evil.example',
    '',
    null,
  ]) {
    expect([path, safeReturnPath(path)]).toEqual([path, '/']);
  }
});

test('a page of the site is found again with its query, a form of the account is not', () => {
  expect(safeReturnPath('/deals/headphones?days=90')).toBe('/deals/headphones?days=90');
  expect(safeReturnPath('/search/../favorites')).toBe('/favorites');
  expect(safeReturnPath('/sign-in?returnTo=%2F')).toBe('/');
});
