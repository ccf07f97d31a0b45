import type { ComponentProps } from 'react';
import { useLocation } from 'react-router';
import { Island } from '#app/islands/island.tsx';
import type { SearchBox } from './search-box.tsx';

/** The search box of a page, filled with the query on a results page. */
export function SearchIsland(props: Omit<ComponentProps<typeof SearchBox>, 'initial'>) {
  const { pathname, search } = useLocation();
  const initial = pathname === '/deals' ? (new URLSearchParams(search).get('search') ?? '') : '';
  return (
    <Island<typeof SearchBox> name="search-box" wakesOn="idle" props={{ ...props, initial }} />
  );
}
