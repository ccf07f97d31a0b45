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

describe('P32: what a browser may keep', () => {
  test('is only what is essential, and how the site looks, before anybody chose', () => {
    expect(readCookiePreferences()).toEqual({
      essential: true,
      analytics: false,
      marketing: false,
      preferences: true,
    });
    expect(isAllowed('analytics')).toBe(false);
    expect(isAllowed('marketing')).toBe(false);
  });

  test('is what the visitor chose, from the next question on', () => {
    stored = JSON.stringify({ analytics: true, preferences: false });
    expect(isAllowed('analytics')).toBe(true);
    expect(isAllowed('preferences')).toBe(false);
    expect(isAllowed('marketing')).toBe(false);
    stored = JSON.stringify({ analytics: false });
    expect(isAllowed('analytics')).toBe(false);
  });

  test('cannot be less than what is essential', () => {
    stored = JSON.stringify({ essential: false });
    expect(readCookiePreferences().essential).toBe(true);
  });

  test.each(['null', '[]', '7', '"on"', '{"analytics":"yes"}', '{"analytics":1}'])(
    'is nothing that %s would allow',
    (text) => {
      stored = text;
      expect(readCookiePreferences()).toEqual(defaultCookiePreferences);
    },
  );

  test('is the default where the choice cannot be read, and the page goes on', () => {
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

  test('is four answers of yes or no, whatever was stored', () => {
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
