import { createHmac, timingSafeEqual } from 'node:crypto';
import { siteSecret } from '#app/platform/site-secret.server.ts';
import type { Db } from '#database/connect.ts';

/**
 * Returns the envelope sender of one email (VERP): `bounces@example.com` →
 * `bounces+TOKEN@example.com`. The token names the email and is signed, so a bounce can be reported
 * only for an email that was received. Servers may change the case of letters.
 */
export async function bounceAddress(db: Db, address: string, mailId: number): Promise<string> {
  const at = address.lastIndexOf('@');
  const id = mailId.toString(36);
  const signature = sign(await siteSecret(db, 'bounces'), id);
  return `${address.slice(0, at)}+${id}-${signature}${address.slice(at)}`;
}

/** tokens; a genuine report repeats one token, and many different ones are guesses */
const mostTokens = 50;

/** Returns the email of the first genuine token in a text, or null if there is none. */
export async function findBouncedMail(db: Db, text: string): Promise<number | null> {
  const secret = await siteSecret(db, 'bounces');
  const tokens = text.matchAll(/\+([0-9a-z]{1,11})-([0-9a-f]{20})@/gi).take(mostTokens);
  for (const [, id = '', signature = ''] of tokens) {
    const wanted = Buffer.from(sign(secret, id.toLowerCase()));
    const isGenuine = timingSafeEqual(Buffer.from(signature.toLowerCase()), wanted);
    if (isGenuine) return Number.parseInt(id, 36);
  }
  return null;
}

function sign(secret: string, id: string): string {
  return createHmac('sha256', secret).update(id).digest('hex').slice(0, 20);
}
