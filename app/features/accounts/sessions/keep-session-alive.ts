import { sessionEnded } from '#app/islands/reload-when-stale.ts';
import { checkEveryMs, delayBeforeRetry, isDueForRefresh, mostRetries } from './session-refresh.ts';

/** Keeps the session from ending while a page is open (P9). Its end stands on the document, in milliseconds. */
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
    // A refresh that failed keeps the session; the next check tries again.
    if (typeof refreshed === 'number') dataset['sessionEnds'] = String(refreshed);
    if (refreshed !== 'ended') return;
    delete dataset['sessionEnds'];
    const isOurs = document.dispatchEvent(new Event(sessionEnded, { cancelable: true }));
    // What somebody has typed is worth more than a page that is up to date.
    if (isOurs && !hasTyped) location.reload();
  };
  document.addEventListener('input', () => (hasTyped = true), { capture: true, once: true });
  setInterval(() => void check(), checkEveryMs);
  void check();
}

/** The session's new end in milliseconds, `ended`, or null after the last retry failed. */
async function refresh(): Promise<number | 'ended' | null> {
  for (let failures = 0; failures <= mostRetries; failures += 1) {
    try {
      const answer = await fetch('/api/session', { method: 'POST' });
      if (answer.status === 401) return 'ended';
      if (answer.ok) return Date.parse(((await answer.json()) as { expiresAt: string }).expiresAt);
    } catch {
      // Offline, or the server is being restarted.
    }
    await new Promise((resolve) => setTimeout(resolve, delayBeforeRetry(failures)));
  }
  return null;
}
