import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import type { MailSite, OutboxMail, PreparedMail } from '#app/platform/mail/mail-kind.server.ts';
import type { Db } from '#database/connect.ts';
import type { ConfirmSubscriptionProps } from './confirm-subscription-email.tsx';
import { findDigestContent } from './digest-queries.server.ts';
import type { DigestProps } from './digest-email.tsx';
import { newsletterLinkQuery } from './newsletter-link.server.ts';
import { findSubscriptionById, type Subscription } from './newsletter-queries.server.ts';
import type { WelcomeProps } from './welcome-email.tsx';

interface Payload {
  subscriptionId?: number;
  nonce?: string;
  issueId?: number;
}

/** Only to somebody who waits for it, and with the link of their last request. */
export async function prepareConfirmation(
  db: Db,
  mail: OutboxMail<Payload>,
): Promise<PreparedMail<ConfirmSubscriptionProps> | null> {
  const subscription = await findAddressed(db, mail);
  if (!subscription || subscription.unsubscribed_at !== null || subscription.is_active) return null;
  const confirmPath = `/newsletter/confirm?${await newsletterLinkQuery(db, 'confirm', subscription)}`;
  const { unsubscribePath } = await waysOut(db, subscription);
  return { props: { confirmPath }, unsubscribePath };
}

export async function prepareWelcome(
  db: Db,
  mail: OutboxMail<Payload>,
): Promise<PreparedMail<WelcomeProps> | null> {
  const subscription = await findAddressed(db, mail);
  if (!subscription?.is_active) return null;
  const { pagePath, unsubscribePath } = await waysOut(db, subscription);
  const { digestEnabled } = await readSiteSettings(db);
  return { props: { unsubscribePath: pagePath, hasDigest: digestEnabled }, unsubscribePath };
}

/** Not to somebody who left meanwhile, and not once the owner switched it off or took the postal address away. */
export async function prepareDigest(
  db: Db,
  mail: OutboxMail<Payload>,
  site: MailSite,
): Promise<PreparedMail<DigestProps> | null> {
  const { issueId } = mail.payload;
  const subscription = await findAddressed(db, mail);
  if (!subscription?.is_active || site.postalAddress === '' || issueId === undefined) return null;
  if (!(await readSiteSettings(db)).digestEnabled) return null;
  const content = await findDigestContent(db, issueId);
  if (!content) return null;
  const { pagePath, unsubscribePath } = await waysOut(db, subscription);
  return { props: { ...content, unsubscribePath: pagePath }, unsubscribePath };
}

/** The subscription the mail was queued for, unless it was renewed or changed its address since. */
async function findAddressed(db: Db, mail: OutboxMail<Payload>): Promise<Subscription | null> {
  const { subscriptionId, nonce } = mail.payload;
  const subscription =
    subscriptionId === undefined ? null : await findSubscriptionById(db, subscriptionId);
  if (!subscription || subscription.email !== mail.recipient) return null;
  return nonce === undefined || nonce === subscription.token_nonce ? subscription : null;
}

/** The page for people, and the address that mailboxes post to (RFC 8058). */
async function waysOut(db: Db, subscription: Subscription) {
  const query = await newsletterLinkQuery(db, 'unsubscribe', subscription);
  return {
    pagePath: `/unsubscribe?${query}`,
    unsubscribePath: `/unsubscribe/one-click?${query}`,
  };
}
