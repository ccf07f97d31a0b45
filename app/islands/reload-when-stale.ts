const shown = () => document.documentElement.dataset['own'] ?? '';
const present = () => /(?:^|; )own=([\w-]*)/.exec(document.cookie)?.[1] ?? '';

/** Said to the page when its session is over. Who can show that without a new document prevents its default. */
export const sessionEnded = 'session-ended';

/**
 * Whether the page shows all that its visitor did. The server renews a word with whatever they do (`own-mark.server.ts`):
 * sign in or out, press a heart. The browser has the present one as a cookie, the page that of its time.
 */
export function isUpToDate(): boolean {
  return shown() === present();
}

/** What was done last was done on this page, and it shows that already. */
export function setUpToDate(): void {
  document.documentElement.dataset['own'] = present();
}

/** For pages that the browser kept or fetched ahead: they may be older than what their visitor did since. */
export function reloadWhenStale(): void {
  const check = () => {
    if (isUpToDate()) return;
    // Not always `reload`, which would post again what the page was the answer to. A hash leads nowhere anew.
    if (location.hash) location.reload();
    else location.replace(location.href);
  };
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) check();
  });
  // What was just loaded anew is none of them, so nothing is for ever.
  const [entry] = performance.getEntriesByType('navigation');
  if (entry && isFromStore(entry)) check();
}

function isFromStore(entry: PerformanceEntry & { type?: string; deliveryType?: string }): boolean {
  return entry.type === 'back_forward' || entry.deliveryType === 'navigational-prefetch';
}
