import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import {
  cookiePreferencesKey,
  defaultCookiePreferences,
} from '#app/platform/cookie-preferences.ts';
import { densityKey, themeKey } from '#app/ui/theme.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const sources = execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'app', 'public'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => /\.(?:js|tsx?)$/.test(file) && !/\.test\./.test(file))
  .map((file) => ({ file, text: readFileSync(path.join(root, file), 'utf8') }));

const cookiePage = readFileSync(path.join(root, 'content/cookies.md'), 'utf8');
const named = new Set([...cookiePage.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, name]) => name));

// Proves P32: cookie preferences
test('P32: names every cookie on the cookie page', () => {
  const set = sources.flatMap(({ text }) =>
    [...text.matchAll(/writeCookie\('([^']+)'/g)].map(([, name = '']) => name),
  );
  expect(set).toContain('session');
  expect(set.filter((name) => !named.has(name))).toEqual([]);
});

test('P32: lets only files that the cookie page covers store data in the browser', () => {
  const storing = sources
    .filter(({ text }) =>
      /(?:local|session)Storage\.setItem|document\.cookie|indexedDB|caches\.open/.test(text),
    )
    .map(({ file }) => file);
  // A new file must call `isAllowed` before it stores anything optional, and be named in
  // content/cookies.md.
  expect(storing.toSorted()).toEqual([
    'app/admin/frame/admin-keys.ts',
    'app/islands/reload-when-stale.ts', // This file only reads the preferences.
    'app/storefront/chrome/store-appearance.ts',
    'app/storefront/legal/save-cookie-preferences.ts',
    'public/sw.js',
  ]);
  expect([named.has(themeKey), named.has(cookiePreferencesKey)]).toEqual([true, true]);
  expect(named.has(densityKey)).toBe(true);
});

// Proves Back office 9: Cookie defaults (cookie-preferences.ts)
test('P32: starts with analytics and marketing off', () => {
  expect(defaultCookiePreferences).toEqual({
    essential: true,
    analytics: false,
    marketing: false,
    preferences: true,
  });
});
