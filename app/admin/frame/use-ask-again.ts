import { useEffect } from 'react';
import { useRevalidator } from 'react-router';

/**
 * Loads the page's data again and again while something is under way. While the site is away it waits: data that fail to
 * load would take the page down, with what is typed into it.
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
