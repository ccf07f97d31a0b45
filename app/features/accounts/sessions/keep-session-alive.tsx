import { useEffect } from 'react';
import { useRevalidator } from 'react-router';
import { checkEveryMs, delayBeforeRetry, isDueForRefresh, mostRetries } from './session-refresh.ts';

/** Keeps the session from ending while a page is open (P9). Shows nothing. */
export function KeepSessionAlive({ expiresAt }: { expiresAt: Date | null }) {
  const { revalidate } = useRevalidator();
  const endsAt = expiresAt?.getTime() ?? null;

  useEffect(() => {
    if (endsAt === null) return undefined;
    const stop = new AbortController();
    let end = endsAt;
    let isBusy = false;
    const check = async () => {
      if (isBusy || !isDueForRefresh(end, Date.now())) return;
      isBusy = true;
      const refreshed = await refresh(stop.signal);
      isBusy = false;
      if (stop.signal.aborted) return;
      if (refreshed === 'ended') void revalidate();
      // A refresh that failed keeps the session; the next check tries again.
      else if (refreshed !== null) end = refreshed;
    };
    const timer = setInterval(() => void check(), checkEveryMs);
    void check();
    return () => {
      stop.abort();
      clearInterval(timer);
    };
  }, [endsAt, revalidate]);

  return null;
}

/** The session's new end in milliseconds, `ended`, or null after the last retry failed. */
async function refresh(signal: AbortSignal): Promise<number | 'ended' | null> {
  for (let failures = 0; failures <= mostRetries && !signal.aborted; failures += 1) {
    try {
      const answer = await fetch('/api/session', { method: 'POST', signal });
      if (answer.status === 401) return 'ended';
      if (answer.ok) return Date.parse(((await answer.json()) as { expiresAt: string }).expiresAt);
    } catch {
      // Offline, or the server is being restarted.
    }
    await new Promise((resolve) => setTimeout(resolve, delayBeforeRetry(failures)));
  }
  return null;
}
