import { useSyncExternalStore } from 'react';

/** False on the server and in the first paint that must match it, true from then on: our scripts run. */
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
