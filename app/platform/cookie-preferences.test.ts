import { anything, assert, property } from '#test/fast-check.ts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  cookiePreferencesKey,
  defaultCookiePreferences,
  isAllowed,
  readCookiePreferences,
} from './cookie-preferences.ts';

let stored: string | null;

beforeEach(() => {
  stored = null;
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => (key === cookiePreferencesKey ? stored : 'another key'),
  });
  vi.spyOn(console, 'error').mockImplementation(() => {});
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe('P32: the cookie preferences', () => {
  test('P32: allows only essential storage and the theme before the visitor chooses', () => {
    expect(readCookiePreferences()).toEqual({
      essential: true,
      analytics: false,
      marketing: false,
      preferences: true,
    });
    expect(isAllowed('analytics')).toBe(false);
    expect(isAllowed('marketing')).toBe(false);
  });

  test("P32: applies the visitor's choice from the next read", () => {
    stored = JSON.stringify({ analytics: true, preferences: false });
    expect(isAllowed('analytics')).toBe(true);
    expect(isAllowed('preferences')).toBe(false);
    expect(isAllowed('marketing')).toBe(false);
    stored = JSON.stringify({ analytics: false });
    expect(isAllowed('analytics')).toBe(false);
  });

  test('P32: always includes essential storage', () => {
    stored = JSON.stringify({ essential: false });
    expect(readCookiePreferences().essential).toBe(true);
  });

  test.each(['null', '[]', '7', '"on"', '{"analytics":"yes"}', '{"analytics":1}'])(
    'P32: allows nothing for %s',
    (text) => {
      stored = text;
      expect(readCookiePreferences()).toEqual(defaultCookiePreferences);
    },
  );

  test('P32: falls back to the default if the choice cannot be read', () => {
    stored = '{broken';
    expect(readCookiePreferences()).toEqual(defaultCookiePreferences);
    vi.stubGlobal('localStorage', {
      getItem() {
        throw new DOMException('The operation is insecure.', 'SecurityError');
      },
    });
    expect(readCookiePreferences()).toEqual(defaultCookiePreferences);
    expect(console.error).toHaveBeenCalledTimes(2);
  });

  test('P32: returns four booleans for any stored value', () => {
    assert(
      property(anything(), (value) => {
        stored = JSON.stringify(value) ?? 'undefined';
        const read = readCookiePreferences();
        expect(Object.keys(read)).toEqual(Object.keys(defaultCookiePreferences));
        for (const answer of Object.values(read)) expect(typeof answer).toBe('boolean');
      }),
    );
  });
});
