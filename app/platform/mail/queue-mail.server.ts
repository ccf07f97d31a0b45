import { sql } from 'kysely';
import type { Db, Tx } from '#database/connect.ts';
import { readMailAddress } from './mail-address.server.ts';

export interface NewMail {
  /** Says what the mail is about, e.g. `verify:USER:TOKEN-ID`: the same key never makes a second mail. */
  key: string;
  /** A name from `app/mails.server.ts`. */
  kind: string;
  to: string;
  userId?: string | null;
  /** What the template needs: plain JSON. */
  props: Record<string, unknown>;
  /** Most mails of this kind to this address within so many hours; one more is not queued. */
  cap?: { most: number; hours: number };
}

export type QueuedMail =
  | { queued: true; id: number }
  | { queued: false; reason: 'bad-address' | 'same-key' | 'cap' };

/**
 * Puts a mail into the outbox, in the transaction that causes it: it leaves if and only if that commits (R08).
 * Nothing here talks to a mail server.
 */
export async function queueMail(tx: Tx | Db, mail: NewMail): Promise<QueuedMail> {
  const recipient = readMailAddress(mail.to);
  if (recipient === null) return { queued: false, reason: 'bad-address' };
  if (mail.cap && (await isCapReached(tx, mail.kind, recipient, mail.cap))) {
    return { queued: false, reason: 'cap' };
  }
  const row = await tx
    .insertInto('mail_outbox')
    .values({
      key: mail.key,
      kind: mail.kind,
      recipient,
      user_id: mail.userId ?? null,
      payload: JSON.stringify(mail.props),
    })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row ? { queued: true, id: row.id } : { queued: false, reason: 'same-key' };
}

async function isCapReached(
  tx: Tx | Db,
  kind: string,
  recipient: string,
  cap: { most: number; hours: number },
): Promise<boolean> {
  // Two requests at once must not both find room: until the end of the transaction the second waits.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`mail:${kind}:${recipient.toLowerCase()}`}, 0))`.execute(
    tx,
  );
  const { count } = await tx
    .selectFrom('mail_outbox')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('kind', '=', kind)
    .where(sql`lower(recipient)`, '=', recipient.toLowerCase())
    .where('created_at', '>', sql<Date>`now() - make_interval(hours => ${cap.hours})`)
    .where('state', '<>', 'cancelled')
    .executeTakeFirstOrThrow();
  return count >= cap.most;
}
