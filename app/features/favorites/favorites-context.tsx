import { createContext, type ReactNode, useContext, useMemo } from 'react';

const FavoritesContext = createContext<ReadonlySet<number>>(new Set());

/** Provides the signed-in user's favorites to every heart on the page. */
export function FavoritesProvider({ ids, children }: { ids: number[]; children: ReactNode }) {
  const favorites = useMemo(() => new Set(ids), [ids]);
  return <FavoritesContext value={favorites}>{children}</FavoritesContext>;
}

export function useIsFavorite(dealId: number): boolean {
  return useContext(FavoritesContext).has(dealId);
}
