import { type CookiePreferences, cookiePreferencesKey } from '#app/platform/cookie-preferences.ts';
import { densityKey, themeKey } from '#app/ui/theme.ts';

/**
 * Stores a choice, and deletes stored values that it no longer allows. Returns `false` if the
 * browser refused, so that the defaults apply.
 */
export function saveCookiePreferences(chosen: CookiePreferences): boolean {
  try {
    localStorage.setItem(cookiePreferencesKey, JSON.stringify(chosen));
    if (!chosen.preferences) {
      for (const key of [themeKey, densityKey]) localStorage.removeItem(key);
    }
    return true;
  } catch (error) {
    console.error('The cookie preferences could not be saved:', error);
    return false;
  }
}
