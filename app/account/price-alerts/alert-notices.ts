import { alertMessages } from '#app/features/price-alerts/alert-messages.ts';

/** The list of alerts, an account's or one opened by a link, with something said or opened over it. */
export function overList(listPath: string, query: string): string {
  return `${listPath}${listPath.includes('?') ? '&' : '?'}${query}`;
}

/** What was done, by the name in the list's address. */
export const alertNotices: Record<string, string> = {
  created: 'The price alert is set.',
  saved: alertMessages.changed,
  fired: alertMessages.firedAtOnce,
  deleted: 'The price alert was deleted.',
  tested: 'The test mail is on its way.',
  watched: 'We watch this search for you.',
  'search-stopped': 'No more mails will come about this search.',
  'search-deleted': 'The watched search was deleted.',
  stopped: 'All that you watch is stopped.',
};
