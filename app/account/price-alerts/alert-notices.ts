import { alertMessages } from '#app/features/price-alerts/alert-messages.ts';

/**
 * Returns the address of an alert list, an account's or one opened by a link, with a notice or a
 * dialog.
 */
export function overList(listPath: string, query: string): string {
  return `${listPath}${listPath.includes('?') ? '&' : '?'}${query}`;
}

/** Notices by the key in the list's address. */
export const alertNotices: Record<string, string> = {
  created: 'The price alert is set.',
  saved: alertMessages.changed,
  fired: alertMessages.firedAtOnce,
  deleted: 'The price alert was deleted.',
  tested: 'The test email is on its way.',
  watched: 'We watch this search for you.',
  'search-stopped': 'We will send no more emails about this search.',
  'search-deleted': 'The watched search was deleted.',
  stopped: 'All alerts and watched searches are stopped.',
};
