import { type CookiePreferences, cookiePreferencesKey } from '#app/platform/cookie-preferences.ts';
import { themeKey } from '#app/ui/theme.ts';

/**
 * Stores a choice and deletes what it no longer allows. Returns `false` if the browser refused, so
 * that the defaults apply.
 */
export function saveCookiePreferences(chosen: CookiePreferences): boolean {
  try {
    localStorage.setItem(cookiePreferencesKey, JSON.stringify(chosen));
    if (!chosen.preferences) localStorage.removeItem(themeKey);
    return true;
  } catch (error) {
    console.error('The cookie preferences could not be saved:', error);
    return false;
  }
}
