import { useSyncExternalStore } from 'react';

/**
 * Returns false on the server and in the first render, which must match it, and true afterwards.
 */
export function useIsHydrated(): boolean {
  return useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  );
}

function neverChanges(): () => void {
  return () => {};
}
