import { findOutboxMail } from '#app/platform/mail/outbox-queries.server.ts';
import type { MailState } from '#app/platform/mail/mail-states.ts';
import { queueMail } from '#app/platform/mail/queue-mail.server.ts';
import { writeAudit } from '#app/platform/audit/audit.server.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import type { Db } from '#database/connect.ts';

/**
 * Sends a test email to the current user through the outbox. Returns its id, or `null` if there is
 * no valid address.
 */
export async function sendTestMail(
  { db, now }: Pick<AppServices, 'db' | 'now'>,
  { id: actor, email }: { id: string; email: string },
): Promise<number | null> {
  const askedAt = now().toISOString();
  return db.transaction().execute(async (tx) => {
    const key = `test:${actor}:${askedAt}`;
    const mail = await queueMail(tx, { key, kind: 'test', to: email, props: { askedAt } });
    if (!mail.queued) return null;
    await writeAudit(tx, { actor, action: 'mail.test', entity: 'mail', entityId: mail.id });
    return mail.id;
  });
}

export interface TestMail {
  id: number;
  state: MailState;
  /** The server's response, or the error. */
  words: string;
}

/** Returns one of the user's own test emails, and `null` for any other email. */
export async function findTestMail(db: Db, id: number, email: string): Promise<TestMail | null> {
  const mail = await findOutboxMail(db, id);
  if (mail?.kind !== 'test' || mail.recipient !== email) return null;
  return { id, state: mail.state, words: mail.reply ?? mail.last_error ?? '' };
}
