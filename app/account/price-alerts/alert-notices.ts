import { alertMessages } from '#app/features/price-alerts/alert-messages.ts';
import type { WatchRequest } from '#app/features/watched-searches/watch-requests.server.ts';

/**
 * Returns the URL of an alert list with a notice or a dialog, for an account or a guest's emailed
 * link.
 */
export function overList(listPath: string, query: string): string {
  return `${listPath}${listPath.includes('?') ? '&' : '?'}${query}`;
}

/** Returns the key of the notice for a confirmed request. */
export function confirmedNotice({
  what,
  hasFired,
}: {
  what: WatchRequest['what'];
  hasFired: boolean;
}): string {
  if (what === 'deal') return hasFired ? 'fired' : 'created';
  return what === 'product' ? 'watched-product' : 'watched';
}

/** Notices, keyed by the parameter in the list's URL. */
export const alertNotices: Record<string, string> = {
  created: 'Price alert set.',
  saved: alertMessages.changed,
  fired: alertMessages.firedAtOnce,
  deleted: 'Price alert deleted.',
  tested: 'The test email is on its way.',
  watched: 'You are now watching this search.',
  'watched-product': 'You are now watching this product at any store.',
  'search-stopped': 'You will get no more emails about this search.',
  'search-deleted': 'Watched search deleted.',
  stopped: 'All alerts and watched searches stopped.',
};
