import { useEffect } from 'react';
import { useRevalidator } from 'react-router';

/**
 * Reloads the page's data while a job is in progress. Polling pauses while the site is unreachable,
 * since a failed load would discard the page and its input.
 */
export function useAskAgain(isWaiting: boolean, everyMs = 1_500): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (!isWaiting) return undefined;
    let isLeft = false;
    let timer: ReturnType<typeof setTimeout>;
    const askLater = () => {
      timer = setTimeout(() => void ask(), everyMs);
    };
    const ask = async () => {
      const health = await fetch('/api/health').catch(() => null);
      if (health?.ok && !isLeft) await revalidate();
      if (!isLeft) askLater();
    };
    askLater();
    return () => {
      isLeft = true;
      clearTimeout(timer);
    };
  }, [isWaiting, everyMs, revalidate]);
}
