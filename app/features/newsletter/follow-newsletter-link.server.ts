import { liftByConfirming } from '#app/platform/mail/suspension-queries.server.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import type { Db } from '#database/connect.ts';
import { findLinkedSubscription } from './newsletter-link.server.ts';
import {
  activateSubscription,
  countLeaving,
  endSubscription,
} from './newsletter-queries.server.ts';
import { leaveList } from './preferences.server.ts';
import { queueFirstMail } from './subscribe-to-newsletter.server.ts';

export interface NewsletterLink {
  email: string;
  token: string;
  /** The newsletter that contains the link. */
  newsletter?: number | null;
  /**
   * The list of the email that contains the link. Without a list, the link unsubscribes from
   * everything.
   */
  list?: number | null;
}

/**
 * Parses a link's parameters without verifying them. Returns `null` if the address or token is
 * missing.
 */
export function readNewsletterLink(search: URLSearchParams | FormData): NewsletterLink | null {
  const [email, token] = [search.get('email'), search.get('token')];
  const newsletter = parseRowId(search.get('newsletter'));
  const list = parseRowId(search.get('list'));
  return typeof email === 'string' && typeof token === 'string' && email.trim() && token.trim()
    ? { email: email.trim(), token: token.trim(), newsletter, list }
    : null;
}

/**
 * Unsubscribes from the link's list, or from everything. The link may be followed twice. Returns
 * `false` if the link is invalid.
 */
export async function unsubscribeByLink(db: Db, link: NewsletterLink): Promise<boolean> {
  const subscription = await findLinkedSubscription(db, 'unsubscribe', link);
  if (!subscription) return false;
  const hasLeft = link.list
    ? await leaveList(db, subscription, link.list)
    : await endSubscription(db, subscription.id, subscription.token_nonce);
  if (hasLeft && link.newsletter) await countLeaving(db, link.newsletter);
  return true;
}

/**
 * Activates a waiting subscription, which sends the welcome email. Also returns `true` if it is
 * already active.
 */
export async function confirmByLink(db: Db, link: NewsletterLink): Promise<boolean> {
  const subscription = await findLinkedSubscription(db, 'confirm', link);
  if (!subscription) return false;
  if (subscription.is_active) return true;
  return db.transaction().execute(async (tx) => {
    const isActive = await activateSubscription(tx, subscription.id, subscription.token_nonce);
    if (!isActive) return false;
    await liftByConfirming(tx, subscription.email);
    await queueFirstMail(tx, subscription, 'welcome');
    return true;
  });
}
