import { accountMails } from '#app/features/accounts/people/account-mails.server.ts';
import { alertChannelMails } from '#app/features/alert-channels/alert-channel-mails.server.ts';
import { channelMails } from '#app/features/channels/channel-mails.server.ts';
import { evidenceMails } from '#app/features/evidence/evidence-mails.server.ts';
import { contactMails } from '#app/features/contact/contact-mails.server.ts';
import { favoriteMails } from '#app/features/favorites/favorite-mails.server.ts';
import { followMails } from '#app/features/follows/follow-mails.server.ts';
import { alertMails } from '#app/features/price-alerts/alert-mails.server.ts';
import { searchMails } from '#app/features/watched-searches/search-mails.server.ts';
import { webhookMails } from '#app/features/webhooks/webhook-mails.server.ts';
import { newsletterMails } from '#app/features/newsletter/newsletter-mails.server.ts';
import { mailKind, type MailKind } from '#app/platform/mail/mail-kind.server.ts';

/**
 * Every kind of email that the site sends: the third table of contents, beside `routes.ts` and
 * `jobs.server.ts`.
 */
export const mails: Readonly<Record<string, MailKind>> = {
  ...accountMails,
  ...newsletterMails,
  ...contactMails,
  ...favoriteMails,
  ...followMails,
  ...alertMails,
  ...searchMails,
  ...webhookMails,
  ...channelMails,
  ...evidenceMails,
  ...alertChannelMails,
  test: mailKind({ isAboutAccount: true, load: () => import('#app/platform/mail/test-email.tsx') }),
};
