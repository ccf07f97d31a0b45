import { mailKind } from '#app/platform/mail/mail-kind.server.ts';
import {
  prepareConfirmation,
  prepareDigest,
  prepareWelcome,
} from './prepare-newsletter-mail.server.ts';

export const newsletterMails = {
  'newsletter-confirm': mailKind({
    isAboutAccount: false,
    load: () => import('./confirm-subscription-email.tsx'),
    prepare: prepareConfirmation,
  }),
  'newsletter-welcome': mailKind({
    isAboutAccount: false,
    load: () => import('./welcome-email.tsx'),
    prepare: prepareWelcome,
  }),
  'newsletter-digest': mailKind({
    isAboutAccount: false,
    load: () => import('./digest-email.tsx'),
    prepare: prepareDigest,
  }),
};
