import { createHmac, timingSafeEqual } from 'node:crypto';
import { siteSecret } from '#app/platform/site-secret.server.ts';
import type { Db } from '#database/connect.ts';

const kinds = ['alert', 'alerts', 'reminders'] as const;

/** What a link in a mail may stop: one price alert, all of a user's, or a user's reminders of favorites. */
export interface StopWish {
  what: (typeof kinds)[number];
  id: string;
}

/** The page that stops it, for the mail's text, and the address that mailboxes post to by themselves (R25). */
export async function stopMailPaths(
  db: Db,
  wish: StopWish,
): Promise<{ stopPath: string; unsubscribePath: string }> {
  const body = `${wish.what}.${wish.id}`;
  const query = `?token=v1.${body}.${sign(await siteSecret(db, 'stop mails'), body)}`;
  return { stopPath: `/stop-mails${query}`, unsubscribePath: `/stop-mails/one-click${query}` };
}

/** Null for a token that is not ours. Whoever holds one may stop that one thing and do nothing else. */
export async function readStopToken(db: Db, token: string): Promise<StopWish | null> {
  const [, name, id, signature] = /^v1\.([a-z]+)\.([\w-]{1,100})\.([\w-]{43})$/.exec(token) ?? [];
  const what = kinds.find((kind) => kind === name);
  if (!what || !id || !signature) return null;
  const expected = Buffer.from(sign(await siteSecret(db, 'stop mails'), `${what}.${id}`));
  return timingSafeEqual(Buffer.from(signature), expected) ? { what, id } : null;
}

function sign(secret: string, body: string): string {
  return createHmac('sha256', secret).update(`stop|${body}`).digest('base64url');
}
