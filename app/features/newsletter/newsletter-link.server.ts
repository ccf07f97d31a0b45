import { createHmac, timingSafeEqual } from 'node:crypto';
import { siteSecret } from '#app/platform/site-secret.server.ts';
import type { Db } from '#database/connect.ts';
import { findSubscriptionById, type Subscription } from './newsletter-queries.server.ts';

/** The action that a link permits. A link for one purpose is invalid for another. */
export type LinkPurpose = 'unsubscribe' | 'confirm';

const longestToken = 100;

/** Returns `email=…&token=…` for a link in an email to this subscriber (security.md, recipe 4). */
export async function newsletterLinkQuery(
  db: Db,
  purpose: LinkPurpose,
  subscription: Pick<Subscription, 'id' | 'email' | 'token_nonce'>,
): Promise<string> {
  const token = `v1.${subscription.id}.${await sign(db, purpose, subscription)}`;
  return new URLSearchParams({ email: subscription.email, token }).toString();
}

/**
 * Returns the subscription of a link. Returns `null` if the link is forged, for another address, or
 * older than the last sign-up.
 */
export async function findLinkedSubscription(
  db: Db,
  purpose: LinkPurpose,
  { email, token }: { email: string; token: string },
): Promise<Subscription | null> {
  if (token.length > longestToken) return null;
  const [, id = '', signature = ''] = /^v1\.([1-9]\d{0,14})\.([\w-]{43})$/.exec(token) ?? [];
  if (id === '') return null;
  const subscription = await findSubscriptionById(db, Number(id));
  if (!subscription || subscription.email.toLowerCase() !== email.trim().toLowerCase()) return null;
  const expected = Buffer.from(await sign(db, purpose, subscription));
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected) ? subscription : null;
}

async function sign(
  db: Db,
  purpose: LinkPurpose,
  { id, token_nonce }: Pick<Subscription, 'id' | 'token_nonce'>,
): Promise<string> {
  const key = await siteSecret(db, 'newsletter links v1');
  return createHmac('sha256', key).update(`${purpose}|${id}|${token_nonce}`).digest('base64url');
}
