import { expect, test } from 'vitest';
import { safeReturnPath } from './safe-return-path.ts';

// Proves R28: click-out (app/api/out-route.ts)
test('R28: never leaves the site after signing in', () => {
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

test('keeps a page with its query and fragment, and skips an account form', () => {
  expect(safeReturnPath('/deals/headphones?days=90')).toBe('/deals/headphones?days=90');
  expect(safeReturnPath('/deals/lamp#facts')).toBe('/deals/lamp#facts');
  expect(safeReturnPath('/search/../favorites')).toBe('/favorites');
  expect(safeReturnPath('/sign-in?returnTo=%2F')).toBe('/');
  expect(safeReturnPath('/logout#top')).toBe('/');
});
