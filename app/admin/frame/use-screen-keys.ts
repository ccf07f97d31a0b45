import { useEffect } from 'react';
import { isCommand } from './admin-keys.ts';

/**
 * Walks and works the rows of a screen by single keys: `j` `k` `x` `e` `Enter`, `/` to its search, `n` to its new form.
 * Once for the whole screen: a screen may have several tables, or cards in their place (`data-row`).
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
        // On a link or button, Enter is that control's own.
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
  // What is typed next takes the place of what was searched before.
  if (found instanceof HTMLInputElement) found.select();
  return found;
}
