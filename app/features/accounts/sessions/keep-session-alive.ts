import { sessionEnded } from '#app/islands/reload-when-stale.ts';
import { checkEveryMs, delayBeforeRetry, isDueForRefresh, mostRetries } from './session-refresh.ts';

/**
 * Keeps the session alive while a page is open. The document holds the session's end in
 * milliseconds.
 */
export function keepSessionAlive(): void {
  const { dataset } = document.documentElement;
  let hasTyped = false;
  let isBusy = false;

  const check = async () => {
    const { sessionEnds } = dataset;
    if (isBusy || !sessionEnds || !isDueForRefresh(Number(sessionEnds), Date.now())) return;
    isBusy = true;
    const refreshed = await refresh();
    isBusy = false;
    // A failed refresh keeps the session; the next check retries.
    if (typeof refreshed === 'number') dataset['sessionEnds'] = String(refreshed);
    if (refreshed !== 'ended') return;
    delete dataset['sessionEnds'];
    const isOurs = document.dispatchEvent(new Event(sessionEnded, { cancelable: true }));
    // Unsaved input matters more than an up-to-date page.
    if (isOurs && !hasTyped) location.reload();
  };
  document.addEventListener('input', () => (hasTyped = true), { capture: true, once: true });
  setInterval(() => void check(), checkEveryMs);
  void check();
}

/**
 * Returns the session's new end in milliseconds, `ended`, or `null` after the last retry failed.
 */
async function refresh(): Promise<number | 'ended' | null> {
  for (let failures = 0; failures <= mostRetries; failures += 1) {
    try {
      const answer = await fetch('/api/session', { method: 'POST' });
      if (answer.status === 401) return 'ended';
      if (answer.ok) return Date.parse(((await answer.json()) as { expiresAt: string }).expiresAt);
    } catch {
      // The browser may be offline, or the server restarting.
    }
    await new Promise((resolve) => setTimeout(resolve, delayBeforeRetry(failures)));
  }
  return null;
}
