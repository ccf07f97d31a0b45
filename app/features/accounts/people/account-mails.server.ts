import {
  mailKind,
  type MailPurpose,
  type MailSite,
  type MailTemplate,
  type OutboxMail,
} from '#app/platform/mail/mail-kind.server.ts';
import type { Db } from '#database/connect.ts';
import { makeResetPath } from '../passwords/reset-password.server.ts';
import { makeConfirmationPath } from './confirm-address.server.ts';
import type * as emails from './account-emails.tsx';
import { findInvitationEmail, makeInvitationPath } from './invite-staff.server.ts';
import { makeVerificationPath } from './verify-email.server.ts';

/** Emails about the account itself, which need no unsubscribe link. */
export const accountMails = {
  'verify-email': accountMail((mails) => mails.verifyAddress, {
    prepare: withPath('/verify-email', makeVerificationPath),
  }),
  'confirm-address': accountMail((mails) => mails.confirmAddress, {
    prepare: withPath('/confirm-address', makeConfirmationPath),
  }),
  'reset-password': accountMail((mails) => mails.resetPassword, {
    prepare: withPath('/reset-password', makeResetPath),
  }),
  'staff-invitation': accountMail((mails) => mails.staffInvitation, {
    async prepare(db, mail, _site, purpose) {
      const letter = await findInvitationEmail(db, mail);
      if (!letter) return null;
      const { id, ...props } = letter;
      const path = purpose === 'look' ? '/invitation?token' : await makeInvitationPath(db, id);
      return { props: { ...props, path } };
    },
  }),
  'already-registered': accountMail((mails) => mails.alreadyRegistered),
  'passkey-added': accountMail((mails) => mails.passkeyAdded),
  'provider-connected': accountMail((mails) => mails.providerConnected),
  'provider-disconnected': accountMail((mails) => mails.providerDisconnected),
  'password-changed': accountMail((mails) => mails.passwordChanged),
};

function accountMail<Props extends object>(
  pick: (mails: typeof emails) => MailTemplate<Props>,
  rest: Pick<Parameters<typeof mailKind<Props>>[0], 'prepare'> = {},
) {
  const load = async () => pick(await import('./account-emails.tsx'));
  return mailKind<Props>({ isAboutAccount: true, load, ...rest });
}

/**
 * Creates the link when the email is sent or printed. Staff who view the email see only the page
 * that the link opens.
 */
function withPath(page: string, make: (db: Db, mail: OutboxMail) => Promise<string | null>) {
  return async (db: Db, mail: OutboxMail, _site: MailSite, purpose: MailPurpose) => {
    const path = purpose === 'look' ? `${page}?token` : await make(db, mail);
    return path === null ? null : { props: { path } };
  };
}
