import { isAllowed } from '#app/platform/cookie-preferences.ts';
import { type Theme, themeKey } from '#app/ui/theme.ts';

/** Stores the chosen theme if the visitor allows it. */
export function keepTheme(theme: Theme): void {
  if (!isAllowed('preferences')) return;
  try {
    localStorage.setItem(themeKey, theme);
  } catch {
    // Private windows may refuse. The choice then lasts until the page is left.
  }
}
