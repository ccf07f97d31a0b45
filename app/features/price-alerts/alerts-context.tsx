import { createContext, type ReactNode, useContext } from 'react';
import type { AlertRule } from './alert-kind.ts';

type RuleOfDeal = AlertRule & { deal_id: number };

const AlertsContext = createContext<RuleOfDeal[]>([]);

/** Provides the signed-in user's alerts to every bell on the page. */
export function AlertsProvider({ rules, children }: { rules: RuleOfDeal[]; children: ReactNode }) {
  return <AlertsContext value={rules}>{children}</AlertsContext>;
}

/** Returns a deal's alerts in the order of creation. */
export function useAlertRules(dealId: number): AlertRule[] {
  return useContext(AlertsContext).filter(({ deal_id }) => deal_id === dealId);
}
