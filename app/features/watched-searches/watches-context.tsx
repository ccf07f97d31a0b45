import { createContext, type ReactNode, useContext } from 'react';
import type { WatchedSearch } from './watched-search-queries.server.ts';

const WatchesContext = createContext<WatchedSearch[]>([]);

/** What the signed-in user watches, for every list of the page. */
export function WatchesProvider({
  searches,
  children,
}: {
  searches: WatchedSearch[];
  children: ReactNode;
}) {
  return <WatchesContext value={searches}>{children}</WatchesContext>;
}

/** How they watch the list with this address (`watchedAddress`). */
export function useWatchOf(address: string): WatchedSearch | null {
  return useContext(WatchesContext).find((search) => search.address === address) ?? null;
}
