import { createHash } from 'node:crypto';
import type { Db, Tx } from '#database/connect.ts';
import { readMailAddress } from './mail-address.server.ts';

export interface NewMail {
  /**
   * Identifies what the mail is about, e.g. `verify:USER:TOKEN-ID`. The same key never creates a
   * second mail.
   */
  key: string;
  /** A name from `app/mails.server.ts`. */
  kind: string;
  to: string;
  userId?: string | null;
  /** The template's data: plain JSON. */
  props: Record<string, unknown>;
  /** A bulk mail: it leaves after mails that users wait for. */
  isBulk?: boolean;
}

export type QueuedMail =
  | { queued: true; id: number }
  | { queued: false; reason: 'bad-address' | 'same-key' };

/**
 * The left half of its Message-ID, computed like the database's: also for mails that are deleted by
 * now.
 */
export const messageIdOf = (key: string) => createHash('md5').update(key).digest('hex');

/** Queues a mail in the transaction that causes it: it leaves if and only if that commits. */
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
