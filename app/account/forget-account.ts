import { cookiePreferencesKey } from '#app/platform/cookie-preferences.ts';
import { densityKey, themeKey } from '#app/ui/theme.ts';

/**
 * Keys of the browser's own settings, which remain at logout. Without the last key, cookies that
 * the user refused would be allowed again.
 */
const ofTheBrowser = new Set([themeKey, densityKey, cookiePreferencesKey]);

/**
 * Clears the account's data from this browser's storage, while the server clears cookies. Returns
 * `false` if the browser refuses.
 */
export function forgetAccount(): boolean {
  try {
    sessionStorage.clear();
    for (const key of Object.keys(localStorage)) {
      if (!ofTheBrowser.has(key)) localStorage.removeItem(key);
    }
    return true;
  } catch {
    return false;
  }
}
