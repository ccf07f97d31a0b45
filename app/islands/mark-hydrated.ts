/** Marks the page as hydrated: from now on presses are handled. */
export function markHydrated(): void {
  document.documentElement.dataset['alive'] = '';
}
