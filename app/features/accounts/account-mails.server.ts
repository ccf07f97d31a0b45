import { mailKind } from '#app/platform/mail/mail-kind.server.ts';

/** The mails about the account itself. They need no way to unsubscribe. */
export const accountMails = {
  'verify-email': mailKind({
    isAboutAccount: true,
    load: () => import('./verify-address-email.tsx'),
  }),
  'reset-password': mailKind({
    isAboutAccount: true,
    load: () => import('./reset-password-email.tsx'),
  }),
  'already-registered': mailKind({
    isAboutAccount: true,
    load: () => import('./already-registered-email.tsx'),
  }),
  'password-changed': mailKind({
    isAboutAccount: true,
    load: () => import('./password-changed-email.tsx'),
  }),
};
