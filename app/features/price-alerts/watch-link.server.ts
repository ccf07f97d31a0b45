import { mailToken, readMailToken } from '#app/platform/mail/stop-token.server.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import type { Db } from '#database/connect.ts';

const purposes = ['confirm', 'manage'] as const;
type Purpose = (typeof purposes)[number];

/** Returns the path of the page with all alerts: the account's page, or a guest's with its link. */
export async function alertListPath(db: Db, watcherId: number | null): Promise<string> {
  if (watcherId === null) return '/price-alerts';
  return `/price-alerts/by-mail?token=${await mailToken(db, 'manage', String(watcherId))}`;
}

/** Returns the path of the page that confirms a request. */
export async function confirmAlertPath(db: Db, requestId: number): Promise<string> {
  return `/price-alerts/confirm?token=${await mailToken(db, 'confirm', String(requestId))}`;
}

/**
 * Returns the request or guest subscriber that an emailed link is for, or `null` if the link is
 * forged or for another page.
 */
export async function readWatchLink(
  db: Db,
  purpose: Purpose,
  token: string,
): Promise<number | null> {
  const read = await readMailToken(db, token, purposes);
  return read?.what === purpose ? parseRowId(read.id) : null;
}
