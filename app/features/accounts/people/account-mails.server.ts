import {
  mailKind,
  type MailPurpose,
  type MailSite,
  type OutboxMail,
  type PreparedMail,
} from '#app/platform/mail/mail-kind.server.ts';
import type { Db } from '#database/connect.ts';
import type { ResetPasswordProps } from '../passwords/reset-password-email.tsx';
import { makeResetPath } from '../passwords/reset-password.server.ts';
import type { VerifyAddressProps } from './verify-address-email.tsx';
import { makeVerificationPath } from './verify-email.server.ts';

/** The mails about the account itself. They need no way to unsubscribe. */
export const accountMails = {
  'verify-email': mailKind<VerifyAddressProps>({
    isAboutAccount: true,
    load: () => import('./verify-address-email.tsx'),
    prepare: withPath('/verify-email', makeVerificationPath),
  }),
  'reset-password': mailKind<ResetPasswordProps>({
    isAboutAccount: true,
    load: () => import('../passwords/reset-password-email.tsx'),
    prepare: withPath('/reset-password', makeResetPath),
  }),
  'already-registered': mailKind({
    isAboutAccount: true,
    load: () => import('./already-registered-email.tsx'),
  }),
  'passkey-added': mailKind({
    isAboutAccount: true,
    load: () => import('../passkeys/passkey-added-email.tsx'),
  }),
  'provider-connected': mailKind({
    isAboutAccount: true,
    load: () => import('../providers/provider-connected-email.tsx'),
  }),
  'provider-disconnected': mailKind({
    isAboutAccount: true,
    load: () => import('../providers/provider-disconnected-email.tsx'),
  }),
  'password-changed': mailKind({
    isAboutAccount: true,
    load: () => import('../passwords/password-changed-email.tsx'),
  }),
};

/** The link is made when the mail leaves or is printed; who only looks at it learns which page it leads to (R60). */
function withPath(page: string, make: (db: Db, mail: OutboxMail) => Promise<string | null>) {
  return async (
    db: Db,
    mail: OutboxMail,
    _site: MailSite,
    purpose: MailPurpose,
  ): Promise<PreparedMail<{ path: string }> | null> => {
    const path = purpose === 'look' ? `${page}?token` : await make(db, mail);
    return path === null ? null : { props: { path } };
  };
}
