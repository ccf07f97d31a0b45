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
  'passkey-added': mailKind({
    isAboutAccount: true,
    load: () => import('./passkey-added-email.tsx'),
  }),
  'provider-connected': mailKind({
    isAboutAccount: true,
    load: () => import('./provider-connected-email.tsx'),
  }),
  'provider-disconnected': mailKind({
    isAboutAccount: true,
    load: () => import('./provider-disconnected-email.tsx'),
  }),
  'password-changed': mailKind({
    isAboutAccount: true,
    load: () => import('./password-changed-email.tsx'),
  }),
};
