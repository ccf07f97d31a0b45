import { useEffect, useState } from 'react';
import { useLocation, useNavigation } from 'react-router';

/** Quicker changes show nothing: a flash of grey would look slower than it is. */
const patience = 150;

export type ListTransition =
  | { kind: 'none' }
  /** The same list, filtered, sorted or paged differently: the old one stays, dimmed. */
  | { kind: 'same-list' }
  | { kind: 'other-list' }
  | { kind: 'search'; text: string };

interface Place {
  pathname: string;
  search: string;
}

/** What the visitor is waiting for on a page with a list. Other lists and searches count only after 150 ms. */
export function useListTransition(): ListTransition {
  const here = useLocation();
  const { location: next } = useNavigation();
  const isLate = useLate(next ? `${next.pathname}${next.search}` : null);
  const transition = next ? listTransition(here, next) : ({ kind: 'none' } as const);
  return isLate || transition.kind === 'same-list' ? transition : { kind: 'none' };
}

export function listTransition(here: Place, next: Place): ListTransition {
  const text = searchText(next);
  if (here.pathname === next.pathname && searchText(here) === text) return { kind: 'same-list' };
  if (text !== '') return { kind: 'search', text };
  return /^\/deals$|^\/(?:categories|merchants)\/[^/]+$/.test(next.pathname)
    ? { kind: 'other-list' }
    : { kind: 'none' };
}

function searchText({ pathname, search }: Place): string {
  return pathname === '/deals' ? (new URLSearchParams(search).get('search')?.trim() ?? '') : '';
}

/** True once the same wait has lasted for `patience`. */
function useLate(wait: string | null): boolean {
  const [late, setLate] = useState<string | null>(null);
  useEffect(() => {
    if (wait === null) return undefined;
    const timer = setTimeout(() => setLate(wait), patience);
    return () => {
      clearTimeout(timer);
      setLate(null);
    };
  }, [wait]);
  return wait !== null && late === wait;
}
