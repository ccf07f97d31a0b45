import { createContext, type ReactNode, useContext } from 'react';
import type { AlertRule } from './alert-kind.ts';

type RuleOfDeal = AlertRule & { deal_id: number };

const AlertsContext = createContext<RuleOfDeal[]>([]);

/** What the signed-in user waits for, for every bell on the page. */
export function AlertsProvider({ rules, children }: { rules: RuleOfDeal[]; children: ReactNode }) {
  return <AlertsContext value={rules}>{children}</AlertsContext>;
}

/** The rules for a deal, in the order in which they were made. */
export function useAlertRules(dealId: number): AlertRule[] {
  return useContext(AlertsContext).filter(({ deal_id }) => deal_id === dealId);
}
