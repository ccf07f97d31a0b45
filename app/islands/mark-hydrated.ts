/** Marks the page as hydrated, since presses are now handled. */
export function markHydrated(): void {
  document.documentElement.dataset['alive'] = '';
}
