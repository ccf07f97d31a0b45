import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { mailKind, type OutboxMail } from '#app/platform/mail/mail-kind.server.ts';
import type { Db } from '#database/connect.ts';
import { ask } from '#database/ask.ts';
import { isDigestOn } from './digest-content.ts';
import { findDigest } from './digest-queries.server.ts';
import type { NewsletterContent } from './newsletter-content.ts';
import { inVariant, type Variant } from './subject-test.ts';
import { newsletterLinkQuery } from './newsletter-link.server.ts';
import { findSubscriptionById, type Subscription } from './newsletter-queries.server.ts';

type NewsletterMail = OutboxMail<{
  subscriptionId?: number;
  nonce?: string;
  issueId?: number;
  newsletterId?: number;
  /** The half of a test that this email belongs to. */
  variant?: Variant;
}>;

interface StoredLetter {
  letter: NewsletterContent | null;
  listId: number;
  winner: Variant | null;
}

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
      const { unsubscribePath } = await waysOut(db, subscription, {});
      return { props: { confirmPath: `/newsletter/confirm?${query}` }, unsubscribePath };
    },
  }),
  'newsletter-welcome': mailKind({
    isAboutAccount: false,
    load: () => import('./welcome-email.tsx'),
    async prepare(db, mail: NewsletterMail) {
      const subscription = await findAddressed(db, mail);
      if (!subscription?.is_active) return null;
      const { pagePath, ...ways } = await waysOut(db, subscription, {});
      const { digestEnabled, postalAddress } = await readSiteSettings(db);
      const hasDigest = digestEnabled && postalAddress !== '';
      const { preferencesPath, unsubscribePath } = ways;
      return { props: { unsubscribePath: pagePath, preferencesPath, hasDigest }, unsubscribePath };
    },
  }),
  /**
   * An automatic email is skipped if the subscriber left its list, or if the owner turned the email
   * off or removed the postal address.
   */
  'newsletter-digest': mailKind({
    isAboutAccount: false,
    load: () => import('./digest-email.tsx'),
    async prepare(db, mail: NewsletterMail, site) {
      const { issueId } = mail.payload;
      const subscription = await findAddressed(db, mail);
      if (!subscription?.is_active || site.postalAddress === '' || !issueId) return null;
      const [issue, settings] = await Promise.all([findDigest(db, issueId), readSiteSettings(db)]);
      if (!issue || !isDigestOn(issue.kind, settings)) return null;
      const { content, listId } = issue;
      if (!subscription.list_ids.includes(listId)) return null;
      const { pagePath, preferencesPath, unsubscribePath } = await waysOut(db, subscription, {
        listId,
      });
      const props = { ...content, unsubscribePath: pagePath, preferencesPath };
      return { props, unsubscribePath, listId };
    },
  }),
  /**
   * A newsletter by staff is skipped if the subscriber left its list, or if the owner removed the
   * postal address.
   */
  newsletter: mailKind({
    isAboutAccount: false,
    load: () => import('./newsletter-email.tsx'),
    async prepare(db, mail: NewsletterMail, site) {
      const { newsletterId } = mail.payload;
      const subscription = await findAddressed(db, mail);
      if (!subscription?.is_active || site.postalAddress === '' || !newsletterId) return null;
      const stored = await ask(db).row<StoredLetter>`
        select letter, list_id as "listId", winner from newsletters where id = ${newsletterId}`;
      if (!stored?.letter || !subscription.list_ids.includes(stored.listId)) return null;
      const { listId, letter, winner } = stored;
      const { variant = null } = mail.payload;
      const { pagePath, preferencesPath, unsubscribePath } = await waysOut(db, subscription, {
        newsletterId,
        listId,
      });
      const content = inVariant(letter, { variant, winner });
      const props = { ...content, unsubscribePath: pagePath, preferencesPath };
      return { props, unsubscribePath, listId };
    },
  }),
  /** A test is sent unchanged to its author, and its link does not unsubscribe anyone. */
  'newsletter-test': mailKind({
    isAboutAccount: true,
    load: () => import('./newsletter-email.tsx'),
    prepare: async (_db, { payload }: OutboxMail<{ letter: NewsletterContent }>) => ({
      props: { ...payload.letter, unsubscribePath: '/unsubscribe', isTest: true },
    }),
  }),
};

/**
 * Returns the subscription of a queued email, unless it was renewed or its address was changed in
 * the meantime.
 */
async function findAddressed(db: Db, { payload, recipient }: NewsletterMail) {
  const { subscriptionId, nonce } = payload;
  const subscription = subscriptionId ? await findSubscriptionById(db, subscriptionId) : null;
  if (subscription?.email !== recipient) return null;
  return nonce === undefined || nonce === subscription.token_nonce ? subscription : null;
}

/**
 * Returns the paths of the page for people, and of the URL that email clients post to (RFC 8058).
 */
async function waysOut(
  db: Db,
  subscription: Subscription,
  { newsletterId, listId }: { newsletterId?: number; listId?: number },
) {
  const signed = await newsletterLinkQuery(db, 'unsubscribe', subscription);
  // The link contains the list to unsubscribe from, and the newsletter for which the unsubscribe is
  // counted.
  const list = listId === undefined ? '' : `&list=${listId}`;
  const newsletter = newsletterId === undefined ? '' : `&newsletter=${newsletterId}`;
  const query = signed + newsletter + list;
  return {
    preferencesPath: `/newsletter/preferences?${signed}`,
    pagePath: `/unsubscribe?${query}`,
    unsubscribePath: `/unsubscribe/one-click?${query}`,
  };
}
