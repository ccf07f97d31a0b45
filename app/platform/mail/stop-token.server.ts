import { createHmac, timingSafeEqual } from 'node:crypto';
import { siteSecret } from '#app/platform/site-secret.server.ts';
import type { Db } from '#database/connect.ts';

const kinds = [
  'alert',
  'alerts',
  'watcher',
  'request',
  'search',
  'reminders',
  'follows',
  'channel',
] as const;

/**
 * The emails that a link can stop: price alerts (ids joined by `-`), all alerts of a user or guest
 * subscriber, or an unconfirmed request. Other links stop a watched search, a user's reminders of
 * favorites, the weekly email about follows, or the channel of a message.
 */
export interface StopWish {
  what: (typeof kinds)[number];
  id: string;
}

/**
 * Returns the path of the page that stops these emails, which the email links to, and the path that
 * email clients post to.
 */
export async function stopMailPaths(
  db: Db,
  wish: StopWish,
): Promise<{ stopPath: string; unsubscribePath: string }> {
  const query = `?token=${await mailToken(db, wish.what, wish.id)}`;
  return { stopPath: `/stop-mails${query}`, unsubscribePath: `/stop-mails/one-click${query}` };
}

/**
 * Parses a token, or returns null for an invalid one. The holder of a token can stop these emails,
 * but do nothing else.
 */
export function readStopToken(db: Db, token: string): Promise<StopWish | null> {
  return readMailToken(db, token, kinds);
}

/** Creates the token of an emailed link from its purpose (`what`) and the id of its row. */
export async function mailToken(db: Db, what: string, id: string): Promise<string> {
  const body = `${what}.${id}`;
  return `v1.${body}.${sign(await siteSecret(db, 'stop mails'), body)}`;
}

/** Parses a token. Returns null if it is invalid, or has another purpose. */
export async function readMailToken<What extends string>(
  db: Db,
  token: string,
  whats: readonly What[],
): Promise<{ what: What; id: string } | null> {
  const [, name, id, signature] = /^v1\.([a-z]+)\.([\w-]{1,100})\.([\w-]{43})$/.exec(token) ?? [];
  const what = whats.find((one) => one === name);
  if (!what || !id || !signature) return null;
  const expected = Buffer.from(sign(await siteSecret(db, 'stop mails'), `${what}.${id}`));
  return timingSafeEqual(Buffer.from(signature), expected) ? { what, id } : null;
}

function sign(secret: string, body: string): string {
  return createHmac('sha256', secret).update(`stop|${body}`).digest('base64url');
}
