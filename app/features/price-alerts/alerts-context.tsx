import { createContext, type ReactNode, useContext, useMemo } from 'react';

const AlertsContext = createContext<ReadonlySet<number>>(new Set());

/** The deals that the signed-in user waits for, for every bell on the page. */
export function AlertsProvider({ dealIds, children }: { dealIds: number[]; children: ReactNode }) {
  const alerts = useMemo(() => new Set(dealIds), [dealIds]);
  return <AlertsContext value={alerts}>{children}</AlertsContext>;
}

export function useHasAlert(dealId: number): boolean {
  return useContext(AlertsContext).has(dealId);
}
