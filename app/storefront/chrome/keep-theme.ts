import { isAllowed } from '#app/platform/cookie-preferences.ts';
import { type Theme, themeKey } from '#app/ui/theme.ts';

/** Remembers the chosen theme where the visitor allows it (P32). */
export function keepTheme(theme: Theme): void {
  if (!isAllowed('preferences')) return;
  try {
    localStorage.setItem(themeKey, theme);
  } catch {
    // Private windows may refuse; the choice then lasts until the page is left.
  }
}
