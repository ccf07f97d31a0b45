/** Marks the page as hydrated: from now on presses are handled. */
export function setAlive(): void {
  document.documentElement.dataset['alive'] = '';
}
