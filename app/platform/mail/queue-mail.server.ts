import { createHash } from 'node:crypto';
import type { Db, Tx } from '#database/connect.ts';
import { readMailAddress } from './mail-address.server.ts';

export interface NewMail {
  /**
   * The key of the email, such as `verify:USER:TOKEN-ID`. The same key never creates a second
   * email.
   */
  key: string;
  /** A name from `app/mails.server.ts`. */
  kind: string;
  to: string;
  userId?: string | null;
  /** The template's data as plain JSON. */
  props: Record<string, unknown>;
  /** Whether this is a bulk email, which is sent after emails that users wait for. */
  isBulk?: boolean;
}

export type QueuedMail =
  | { queued: true; id: number }
  | { queued: false; reason: 'bad-address' | 'same-key' };

/**
 * Returns the left half of an email's Message-ID, computed as in the database, even for deleted
 * emails.
 */
export const messageIdOf = (key: string) => createHash('md5').update(key).digest('hex');

/**
 * Queues an email in the transaction that causes it. The email is sent if and only if the
 * transaction commits.
 */
export async function queueMail(tx: Tx | Db, mail: NewMail): Promise<QueuedMail> {
  const recipient = readMailAddress(mail.to);
  if (recipient === null) return { queued: false, reason: 'bad-address' };
  const row = await tx
    .insertInto('mail_outbox')
    .values({
      key: mail.key,
      kind: mail.kind,
      recipient,
      user_id: mail.userId ?? null,
      payload: JSON.stringify(mail.props),
      is_bulk: mail.isBulk ?? false,
    })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row ? { queued: true, id: row.id } : { queued: false, reason: 'same-key' };
}
