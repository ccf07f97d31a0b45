import { cookiePreferencesKey } from '#app/platform/cookie-preferences.ts';
import { themeKey } from '#app/ui/theme.ts';

/** Chosen in this browser, signed in or not. Without the second, a refused cookie would be allowed again. */
const ofTheBrowser = new Set([themeKey, cookiePreferencesKey]);

/** Clears what the account left in this browser; cookies are the server's to take back. False where it may not. */
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
