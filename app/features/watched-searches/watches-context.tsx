import { createContext, type ReactNode, useContext } from 'react';
import type { WatchedSearch } from './watched-search-queries.server.ts';

const WatchesContext = createContext<WatchedSearch[]>([]);

/** The signed-in user's watched searches, for every list on the page. */
export function WatchesProvider({
  searches,
  children,
}: {
  searches: WatchedSearch[];
  children: ReactNode;
}) {
  return <WatchesContext value={searches}>{children}</WatchesContext>;
}

/** Returns the user's watched search for this list URL (`watchedAddress`). */
export function useWatchOf(address: string): WatchedSearch | null {
  return useContext(WatchesContext).find((search) => search.address === address) ?? null;
}
