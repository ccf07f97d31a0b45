import { mailToken, readMailToken } from '#app/platform/mail/stop-token.server.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import type { Db } from '#database/connect.ts';

const purposes = ['confirm', 'manage'] as const;
type Purpose = (typeof purposes)[number];

/** The page of all alerts: an account's, or by a link of its own a watcher's. */
export async function alertListPath(db: Db, watcherId: number | null): Promise<string> {
  if (watcherId === null) return '/price-alerts';
  return `/price-alerts/by-mail?token=${await mailToken(db, 'manage', String(watcherId))}`;
}

/** Where what was asked for begins. */
export async function confirmAlertPath(db: Db, requestId: number): Promise<string> {
  return `/price-alerts/confirm?token=${await mailToken(db, 'confirm', String(requestId))}`;
}

/** The request or the watcher that the link of a mail is about; null where it is not ours, or for another page. */
export async function readWatchLink(
  db: Db,
  purpose: Purpose,
  token: string,
): Promise<number | null> {
  const read = await readMailToken(db, token, purposes);
  return read?.what === purpose ? parseRowId(read.id) : null;
}
