import { isAllowed } from '#app/platform/cookie-preferences.ts';
import { densityKey, type Appearance, themeKey } from '#app/ui/theme.ts';

const values: Record<Appearance, { key: string; on: string; off: string }> = {
  dark: { key: themeKey, on: 'dark', off: 'light' },
  compact: { key: densityKey, on: 'compact', off: 'comfortable' },
};

/** Stores the chosen theme or density if the visitor allows it. */
export function storeAppearance(look: Appearance, isOn: boolean): void {
  if (!isAllowed('preferences')) return;
  const { key, on, off } = values[look];
  try {
    localStorage.setItem(key, isOn ? on : off);
  } catch {
    // Private windows may refuse to store the choice, which then lasts until the page is left.
  }
}
