import { useEffect, useLayoutEffect, useRef } from 'react';
import { NavigationType, useLocation, useNavigationType } from 'react-router';

const resetDelay = 100;
const positions = new Map<string, number>();
const useIsomorphicLayoutEffect = typeof document === 'undefined' ? useEffect : useLayoutEffect;

/**
 * Scrolls the window smoothly to the top after 100 ms on every page change. Back and forward
 * restore the scroll position, a hash scrolls to its element, and a change of filters keeps the
 * position. Opening and closing a dialog with its own URL over a list also keep the position.
 */
export function ScrollManager() {
  const { key, pathname, search, hash } = useLocation();
  const navigationType = useNavigationType();
  const page = pathname + (/[?&]page=\d+/.exec(search)?.[0] ?? '');
  const shownPage = useRef(page);
  const hasDialog = useRef(false);

  useEffect(() => {
    // The site controls scroll restoration while a page is open. The browser restores the position
    // after reloads and returns from other sites.
    history.scrollRestoration = 'manual';
    const giveBack = () => {
      history.scrollRestoration = 'auto';
    };
    addEventListener('pagehide', giveBack);
    return () => removeEventListener('pagehide', giveBack);
  }, []);

  useEffect(() => {
    const remember = () => positions.set(key, scrollY);
    addEventListener('scroll', remember, { passive: true });
    return () => removeEventListener('scroll', remember);
  }, [key]);

  useIsomorphicLayoutEffect(() => {
    if (shownPage.current === page) return;
    if (navigationType === NavigationType.Pop) {
      scrollTo({ top: positions.get(key) ?? 0, behavior: 'instant' });
    }
  }, [key, page, navigationType]);

  useEffect(() => {
    const isNew = shownPage.current !== page && navigationType !== NavigationType.Pop;
    const isClosed = hasDialog.current && isAbove(page, shownPage.current);
    shownPage.current = page;
    if (isNew && hash) document.getElementById(decoded(hash.slice(1)))?.scrollIntoView();
    const timer = setTimeout(() => {
      hasDialog.current = document.querySelector('dialog:modal') !== null;
      if (!isNew || hash || isClosed || hasDialog.current) return;
      const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
      scrollTo({ top: 0, behavior: isCalm ? 'instant' : 'smooth' });
    }, resetDelay);
    return () => clearTimeout(timer);
  }, [page, hash, navigationType]);

  return null;
}

/** Returns whether a page is the list of a dialog's page: `/lamps` of `/lamps/7/edit`. */
function isAbove(page: string, dialogPage: string): boolean {
  const [path = ''] = page.split('?');
  return dialogPage.startsWith(`${path}/`);
}

/** Decodes a fragment. A stray percent sign must not break the page. */
function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
