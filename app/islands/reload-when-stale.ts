const shown = () => document.documentElement.dataset['own'] ?? '';
const present = () => /(?:^|; )own=([\w-]*)/.exec(document.cookie)?.[1] ?? '';

/**
 * The event that the page dispatches when the user's session has ended. A listener that can show
 * this without a new document prevents the default.
 */
export const sessionEnded = 'session-ended';

/**
 * Returns whether the page reflects all of the visitor's actions. The server renews a token on each
 * action, such as signing in or pressing a heart (`own-mark.server.ts`). The cookie has the current
 * token, and the page has the token of its render.
 */
export function isUpToDate(): boolean {
  return shown() === present();
}

/** Marks the page as up to date, since it already shows the visitor's last action. */
export function setUpToDate(): void {
  document.documentElement.dataset['own'] = present();
}

/**
 * Reloads stale pages from the back/forward cache or a prefetch, which may be older than the
 * visitor's latest actions.
 */
export function reloadWhenStale(): void {
  const check = () => {
    if (isUpToDate()) return;
    // `reload` would post again if the page was the response to a form. A hash alone does not
    // navigate.
    if (location.hash) location.reload();
    else location.replace(location.href);
  };
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) check();
  });
  // A freshly loaded page is never stale, which prevents endless reloads.
  const [entry] = performance.getEntriesByType('navigation');
  if (entry && isFromStore(entry)) check();
}

function isFromStore(entry: PerformanceEntry & { type?: string; deliveryType?: string }): boolean {
  return entry.type === 'back_forward' || entry.deliveryType === 'navigational-prefetch';
}
