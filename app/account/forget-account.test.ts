import { afterEach, expect, test, vi } from 'vitest';
import { forgetAccount } from './forget-account.ts';

afterEach(() => vi.unstubAllGlobals());

/** A minimal browser storage that exposes its keys as its own properties. */
function storage(values: Record<string, string>) {
  const methods = {
    clear(this: Record<string, string>) {
      for (const key of Object.keys(this)) delete this[key];
    },
    removeItem(this: Record<string, string>, key: string) {
      delete this[key];
    },
  };
  return Object.assign(Object.create(methods) as Record<string, string>, values);
}

// Proves Back office 7: Logout clears storage and cookies
test('back office 7: clears the account’s data at logout and keeps the browser’s own settings', () => {
  const local = storage({
    theme: 'dark',
    density: 'compact',
    'cookie-preferences': '{}',
    'admin-keys': 'off',
  });
  const session = storage({ 'scroll-positions': '{}' });
  vi.stubGlobal('localStorage', local);
  vi.stubGlobal('sessionStorage', session);
  expect(forgetAccount()).toBe(true);
  expect(Object.keys(local)).toEqual(['theme', 'density', 'cookie-preferences']);
  expect(Object.keys(session)).toEqual([]);
});

// Proves Storefront 8: Sign-out failure (logout-page.tsx)
// Proves Back office 8: Logout with warnings (logout-page.tsx)
test('back office 8: completes the logout with warnings when the browser refuses to clear its storage', () => {
  vi.stubGlobal('sessionStorage', {
    clear() {
      throw new DOMException('denied', 'SecurityError');
    },
  });
  expect(forgetAccount()).toBe(false);
});
