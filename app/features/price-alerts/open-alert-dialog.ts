import { useSyncExternalStore } from 'react';

/** What the dialog shows of the deal it is about. */
export interface AlertDeal {
  id: number;
  title: string;
  image_url: string | null;
  sale_price: number;
  merchantName: string;
}

const listeners = new Set<() => void>();
let opened: AlertDeal | null = null;

/** There is one dialog for the whole page; any bell opens it for its deal, null closes it. */
export function openAlertDialog(deal: AlertDeal | null): void {
  opened = deal;
  for (const listener of listeners) listener();
}

export function useOpenedAlertDeal(): AlertDeal | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => opened,
    () => null,
  );
}
