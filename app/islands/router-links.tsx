import { useEffect } from 'react';
import { useNavigate, useRevalidator } from 'react-router';
import { closest, opensElsewhere } from './pressed.ts';
import { sessionEnded } from './reload-when-stale.ts';

/**
 * Handles links on pages with a router. Plain links to paths that `to` matches are followed in
 * place. The end of the session is shown without a new document.
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

/**
 * Returns whether the router follows a link. Other links are left to the browser, or to the editor
 * that contains them.
 */
function isFollowed(link: HTMLAnchorElement): boolean {
  const { origin, pathname, search, hash, target, dataset } = link;
  const isPlain = target === '' && dataset['document'] === undefined && !link.isContentEditable;
  const isHere = pathname === location.pathname && search === location.search;
  return isPlain && origin === location.origin && !(isHere && hash !== '');
}
