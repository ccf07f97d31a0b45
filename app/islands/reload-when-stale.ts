const shown = () => document.documentElement.dataset['own'] ?? '';
const present = () => /(?:^|; )own=([\w-]*)/.exec(document.cookie)?.[1] ?? '';

/**
 * Dispatched when the user's session has ended. A listener that can show this without a new
 * document prevents the default.
 */
export const sessionEnded = 'session-ended';

/**
 * True if the page reflects everything that its visitor did. The server renews a token on each of
 * their acts (`own-mark.server.ts`): signing in or out, pressing a heart. The browser has the
 * present token as a cookie, and the page the one of its render.
 */
export function isUpToDate(): boolean {
  return shown() === present();
}

/** The last act happened on this page, which shows it already. */
export function setUpToDate(): void {
  document.documentElement.dataset['own'] = present();
}

/**
 * For pages from the back/forward cache or a prefetch: they may predate the visitor's latest acts.
 */
export function reloadWhenStale(): void {
  const check = () => {
    if (isUpToDate()) return;
    // Not always `reload`, which would post again if the page was the response to a form. A hash
    // alone does not navigate.
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
