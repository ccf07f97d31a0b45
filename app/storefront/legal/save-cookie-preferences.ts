import { type CookiePreferences, cookiePreferencesKey } from '#app/platform/cookie-preferences.ts';
import { themeKey } from '#app/ui/theme.ts';

/** Stores a choice and takes out what it no longer allows. False: the browser refused, so the defaults stay in force. */
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
