import { mailKind } from '#app/platform/mail/mail-kind.server.ts';
import type { Db } from '#database/connect.ts';
import { findContactMessage } from './contact-queries.server.ts';

/** Answers to what somebody just did, and notices to the owner: like mails about an account, nobody is on a list. */
export const contactMails = {
  contact: mailKind({
    isAboutAccount: true,
    load: () => import('./contact-email.tsx'),
    prepare: (db, mail) => prepare(db, mail.payload),
  }),
  'contact-confirmation': mailKind({
    isAboutAccount: true,
    load: () => import('./contact-confirmation-email.tsx'),
    async prepare(db, mail) {
      const found = await prepare(db, mail.payload);
      return found && { props: { sentAt: found.props.sentAt } };
    },
  }),
  'contact-flood': mailKind({
    isAboutAccount: true,
    load: () => import('./contact-flood-email.tsx'),
  }),
};

/** The outbox keeps the message's id only: whoever deletes the message has deleted it. */
async function prepare(db: Db, payload: Record<string, unknown>) {
  const id = Number(payload.messageId);
  const found = Number.isSafeInteger(id) ? await findContactMessage(db, id) : null;
  return found && { props: { ...found, sentAt: found.created_at } };
}
