import { useEffect } from 'react';
import { isCommand } from './admin-keys.ts';

/**
 * Handles single-key shortcuts for rows: `j` `k` `x` `e` `Enter`, `/` for search, `n` for a new
 * form. Used once per screen, which may have several tables or cards (`data-row`).
 */
export function useScreenKeys(): void {
  useEffect(() => {
    const act = (event: KeyboardEvent) => {
      if (!isCommand(event)) return;
      const rows = [...document.querySelectorAll<HTMLElement>('main [data-row]')];
      const at = rows.findIndex((row) => row.contains(document.activeElement));
      const press = (selector: string) => {
        const found = rows[at]?.querySelector<HTMLElement>(selector);
        found?.click();
        return found;
      };
      const commands: Record<string, () => unknown> = {
        '/': () => focusOn('[data-key-search]'),
        n: () => document.querySelector<HTMLElement>('[data-key-new]')?.click(),
        j: () => rows[Math.min(at + 1, rows.length - 1)]?.focus(),
        k: () => rows[Math.max(at - 1, 0)]?.focus(),
        x: () => press('[data-key-select]'),
        e: () => press('[data-key-edit], [data-key-open]'),
        // On a link or button, Enter keeps its own meaning.
        Enter: () => (rows[at] === document.activeElement ? press('[data-key-open]') : null),
      };
      if (commands[event.key]?.()) event.preventDefault();
    };
    document.addEventListener('keydown', act);
    return () => document.removeEventListener('keydown', act);
  }, []);
}

function focusOn(selector: string): HTMLElement | null {
  const found = document.querySelector<HTMLElement>(selector);
  found?.focus();
  // The text is selected, so that typing replaces the previous search.
  if (found instanceof HTMLInputElement) found.select();
  return found;
}
