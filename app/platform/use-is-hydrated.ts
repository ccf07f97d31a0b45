import { useSyncExternalStore } from 'react';

/**
 * False on the server and in the first render, which must match it; true afterwards: our scripts
 * run.
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
