/**
 * The admin's keyboard shortcuts, as its help lists them. Single keys can be turned off (WCAG
 * 2.1.4).
 */
export const adminKeys = [
  { key: 'Ctrl K', does: 'Find anything' },
  { key: '/', does: 'Search' },
  { key: 'n', does: 'New' },
  { key: 'j', does: 'Next row' },
  { key: 'k', does: 'Previous row' },
  { key: 'x', does: 'Select the row' },
  { key: 'Enter', does: 'Open the row' },
  { key: 'e', does: 'Edit the row' },
  { key: '?', does: 'Show this list' },
] as const;

const storageKey = 'admin-keys';

export function areKeysOn(): boolean {
  return localStorage.getItem(storageKey) !== 'off';
}

export function switchKeys(areOn: boolean): void {
  if (areOn) localStorage.removeItem(storageKey);
  else localStorage.setItem(storageKey, 'off');
}

/**
 * Returns whether a key press may be a shortcut: shortcuts are on, no modifier is held, no dialog
 * is open, and the user is not typing.
 */
export function isCommand(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return false;
  if (document.querySelector('dialog:modal, [popover]:popover-open')) return false;
  const { target } = event;
  const isTyping =
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      (target.matches('input, textarea, select') &&
        !target.matches('[type=checkbox], [type=radio]')));
  return !isTyping && areKeysOn();
}
