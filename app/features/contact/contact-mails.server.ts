import { readMailAddress } from '#app/platform/mail/mail-address.server.ts';
import { mailKind, type OutboxMail } from '#app/platform/mail/mail-kind.server.ts';
import { messageIdOf } from '#app/platform/mail/queue-mail.server.ts';
import type { Db } from '#database/connect.ts';
import { answerKey, findAnswer, findContactMessage } from './contact-queries.server.ts';

/**
 * Answers to a person's own message, and notices to the owner. Like account emails, they need no
 * unsubscribe link.
 */
export const contactMails = {
  contact: mailKind({
    isAboutAccount: true,
    load: () => import('./contact-email.tsx'),
    async prepare(db, mail) {
      const found = await prepare(db, mail.payload);
      const replyTo = found && readMailAddress(found.props.email);
      return found && { ...found, thread: { replyTo, references: [], isByPerson: false } };
    },
  }),
  'contact-answer': mailKind({
    isAboutAccount: true,
    load: () => import('./contact-answer-email.tsx'),
    async prepare(db, mail: OutboxMail<{ answerId?: number }>, { contactEmail }) {
      const answer = await findAnswer(db, mail.payload.answerId ?? 0);
      if (!answer) return null;
      const { messageId, before, created_at: sentAt, ...props } = answer;
      // The confirmation in the sender's inbox starts this thread.
      const keys = [`contact-confirmation:${messageId}`, ...before.map(answerKey)];
      const references = keys.map(messageIdOf);
      const thread = { replyTo: readMailAddress(contactEmail), references, isByPerson: true };
      return { props: { ...props, sentAt }, thread };
    },
  }),
  /** The email is canceled once the message is closed or reassigned. */
  'contact-assigned': mailKind({
    isAboutAccount: true,
    load: () => import('./contact-assigned-email.tsx'),
    async prepare(db, mail) {
      const found = await prepare(db, mail.payload);
      const isTheirs = found?.props.closed_at === null && found.props.assigned_to === mail.user_id;
      return isTheirs ? found : null;
    },
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

/**
 * Reads the message of an email. The outbox has only the message's id, so that deleting the message
 * deletes its content everywhere.
 */
async function prepare(db: Db, payload: Record<string, unknown>) {
  const id = Number(payload.messageId);
  const found = Number.isSafeInteger(id) ? await findContactMessage(db, id) : null;
  return found && { props: { ...found, sentAt: found.created_at } };
}
