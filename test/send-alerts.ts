import { sql } from 'kysely';
import { handOverMail } from '#app/features/alert-channels/hand-over-mail.server.ts';
import { sendAlertMessages } from '#app/features/alert-channels/send-alert-messages.server.ts';
import { isMailBarred } from '#app/features/accounts/people/suspend-user.server.ts';
import { mails } from '#app/mails.server.ts';
import { type MailWorker, sendDueMails } from '#app/platform/mail/send-due-mails.server.ts';
import type { TestDatabase } from './database.ts';
import { plainMailSite } from './fixtures/plain-mail-kinds.ts';
import { testOrigin } from './origin.ts';
import { testServices } from './services.ts';

/**
 * The workers for emails and messages, which may contact local servers, with a way to skip waits.
 */
export function alertWorkers(database: TestDatabase) {
  const sendMails = (handOver: MailWorker['handOver'] = handOverMail) =>
    sendDueMails(testServices(database), {
      kinds: mails,
      readSite: async () => plainMailSite(testOrigin),
      transport: {
        description: 'a test',
        close() {},
        deliver: async () => ({ outcome: 'sent', words: '250 ok' }),
      },
      handOver,
      isBarred: isMailBarred,
      random: () => 0.5,
    });
  const sendMessages = () =>
    sendAlertMessages(testServices(database), {
      fetch: { allowPrivate: true },
      random: () => 0.5,
    });
  /** Makes all waiting rows due. */
  const letPass = async () => {
    await sql`update alert_channels set next_at = now()`.execute(database.db);
    await sql`update alert_messages set due_at = now() where state = 'queued'`.execute(database.db);
    await sql`update mail_outbox set due_at = now() where state = 'queued'`.execute(database.db);
  };
  return { sendMails, sendMessages, letPass };
}
