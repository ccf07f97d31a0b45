import { useEffect } from 'react';
import { useNavigate, useRevalidator } from 'react-router';
import { closest, opensElsewhere } from './pressed.ts';
import { sessionEnded } from './reload-when-stale.ts';

/**
 * Routes the links of pages with a router: plain links to paths that `to` matches are followed in
 * place, and the end of the session shows without a new document.
 */
export function RouterLinks({ to }: { to: RegExp }) {
  const navigate = useNavigate();
  const { revalidate } = useRevalidator();

  useEffect(() => {
    const showEnd = (event: Event) => {
      event.preventDefault();
      void revalidate();
    };
    document.addEventListener(sessionEnded, showEnd);
    return () => document.removeEventListener(sessionEnded, showEnd);
  }, [revalidate]);

  useEffect(() => {
    const follow = (event: MouseEvent) => {
      const link = closest(event.target, 'a[href]');
      if (!(link instanceof HTMLAnchorElement) || event.defaultPrevented || opensElsewhere(event))
        return;
      const { href, pathname, search, hash, dataset } = link;
      if (!isFollowed(link) || !to.test(pathname)) return;
      event.preventDefault();
      void navigate(pathname + search + hash, {
        replace: dataset['swap'] === 'replace' || href === location.href,
        preventScrollReset: dataset['swap'] !== undefined,
      });
    };
    document.addEventListener('click', follow);
    return () => document.removeEventListener('click', follow);
  }, [navigate, to]);

  return null;
}

/** Other links are left to the browser, or to the editor in which they are written. */
function isFollowed(link: HTMLAnchorElement): boolean {
  const { origin, pathname, search, hash, target, dataset } = link;
  const isPlain = target === '' && dataset['document'] === undefined && !link.isContentEditable;
  const isHere = pathname === location.pathname && search === location.search;
  return isPlain && origin === location.origin && !(isHere && hash !== '');
}
