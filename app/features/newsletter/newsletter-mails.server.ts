import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { mailKind, type OutboxMail } from '#app/platform/mail/mail-kind.server.ts';
import type { Db } from '#database/connect.ts';
import { ask } from '#database/ask.ts';
import { findDigestContent } from './digest-queries.server.ts';
import type { NewsletterContent } from './newsletter-content.ts';
import { newsletterLinkQuery } from './newsletter-link.server.ts';
import { findSubscriptionById, type Subscription } from './newsletter-queries.server.ts';

type NewsletterMail = OutboxMail<{
  subscriptionId?: number;
  nonce?: string;
  issueId?: number;
  newsletterId?: number;
}>;

export const newsletterMails = {
  /**
   * The confirmation is sent only to an unconfirmed subscriber, with the link of the last request.
   */
  'newsletter-confirm': mailKind({
    isAboutAccount: false,
    isConfirmation: true,
    load: () => import('./confirm-subscription-email.tsx'),
    async prepare(db, mail: NewsletterMail) {
      const subscription = await findAddressed(db, mail);
      if (!subscription || subscription.unsubscribed_at || subscription.is_active) return null;
      const query = await newsletterLinkQuery(db, 'confirm', subscription);
      const { unsubscribePath } = await waysOut(db, subscription);
      return { props: { confirmPath: `/newsletter/confirm?${query}` }, unsubscribePath };
    },
  }),
  'newsletter-welcome': mailKind({
    isAboutAccount: false,
    load: () => import('./welcome-email.tsx'),
    async prepare(db, mail: NewsletterMail) {
      const subscription = await findAddressed(db, mail);
      if (!subscription?.is_active) return null;
      const { pagePath, unsubscribePath } = await waysOut(db, subscription);
      const { digestEnabled, postalAddress } = await readSiteSettings(db);
      const hasDigest = digestEnabled && postalAddress !== '';
      return { props: { unsubscribePath: pagePath, hasDigest }, unsubscribePath };
    },
  }),
  /**
   * The digest is not sent after unsubscribing, nor once the owner turned it off or removed the
   * postal address.
   */
  'newsletter-digest': mailKind({
    isAboutAccount: false,
    load: () => import('./digest-email.tsx'),
    async prepare(db, mail: NewsletterMail, site) {
      const { issueId } = mail.payload;
      const subscription = await findAddressed(db, mail);
      if (!subscription?.is_active || site.postalAddress === '' || !issueId) return null;
      if (!(await readSiteSettings(db)).digestEnabled) return null;
      const content = await findDigestContent(db, issueId);
      if (!content) return null;
      const { pagePath, unsubscribePath } = await waysOut(db, subscription);
      return { props: { ...content, unsubscribePath: pagePath }, unsubscribePath };
    },
  }),
  /**
   * A newsletter by staff is not sent after unsubscribing, nor once the owner removed the postal
   * address.
   */
  newsletter: mailKind({
    isAboutAccount: false,
    load: () => import('./newsletter-email.tsx'),
    async prepare(db, mail: NewsletterMail, site) {
      const { newsletterId } = mail.payload;
      const subscription = await findAddressed(db, mail);
      if (!subscription?.is_active || site.postalAddress === '' || !newsletterId) return null;
      const letter = await ask(db).value<NewsletterContent>`
        select letter from newsletters where id = ${newsletterId}`;
      if (!letter) return null;
      const { pagePath, unsubscribePath } = await waysOut(db, subscription, newsletterId);
      return { props: { ...letter, unsubscribePath: pagePath }, unsubscribePath };
    },
  }),
  /** A test is sent unchanged to its author, and its link unsubscribes no one. */
  'newsletter-test': mailKind({
    isAboutAccount: true,
    load: () => import('./newsletter-email.tsx'),
    prepare: async (_db, { payload }: OutboxMail<{ letter: NewsletterContent }>) => ({
      props: { ...payload.letter, unsubscribePath: '/unsubscribe', isTest: true },
    }),
  }),
};

/**
 * Returns the subscription of a queued email, unless it was renewed or its address changed since.
 */
async function findAddressed(db: Db, { payload, recipient }: NewsletterMail) {
  const { subscriptionId, nonce } = payload;
  const subscription = subscriptionId ? await findSubscriptionById(db, subscriptionId) : null;
  if (subscription?.email !== recipient) return null;
  return nonce === undefined || nonce === subscription.token_nonce ? subscription : null;
}

/** Returns the page for people, and the address that email clients post to (RFC 8058). */
async function waysOut(db: Db, subscription: Subscription, newsletterId?: number) {
  const signed = await newsletterLinkQuery(db, 'unsubscribe', subscription);
  // The link names the newsletter, so that unsubscribes are counted for the newsletter.
  const query = newsletterId === undefined ? signed : `${signed}&newsletter=${newsletterId}`;
  return {
    pagePath: `/unsubscribe?${query}`,
    unsubscribePath: `/unsubscribe/one-click?${query}`,
  };
}
