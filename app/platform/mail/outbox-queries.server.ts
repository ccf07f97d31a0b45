import { sql } from 'kysely';
import type { Db } from '#database/connect.ts';
import type { OutboxMail } from './mail-kind.server.ts';
import type { MailState } from './mail-states.ts';

/** A row of the list: no content. */
export type OutboxEntry = Pick<
  OutboxMail,
  | 'id'
  | 'kind'
  | 'recipient'
  | 'state'
  | 'attempts'
  | 'unsure_count'
  | 'due_at'
  | 'sent_at'
  | 'reply'
  | 'last_error'
  | 'created_at'
>;

/** Newest first. */
export function listOutbox(
  db: Db,
  { state, limit, offset = 0 }: { state: MailState | null; limit: number; offset?: number },
): Promise<OutboxEntry[]> {
  let query = db
    .selectFrom('mail_outbox')
    .select(['id', 'kind', 'recipient', 'state', 'attempts', 'unsure_count', 'due_at'])
    .select(['sent_at', 'reply', 'last_error', 'created_at'])
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset);
  if (state !== null) query = query.where('state', '=', state);
  return query.execute();
}

export async function countOutbox(db: Db): Promise<Record<MailState, number>> {
  const counts: Record<MailState, number> = {
    queued: 0,
    sent: 0,
    failed: 0,
    cancelled: 0,
    kept: 0,
  };
  const rows = await db
    .selectFrom('mail_outbox')
    .select(['state', (eb) => eb.fn.countAll<number>().as('count')])
    .groupBy('state')
    .execute();
  for (const { state, count } of rows) counts[state] = count;
  return counts;
}

export async function findOutboxMail(db: Db, id: number): Promise<OutboxMail | null> {
  const row = await db
    .selectFrom('mail_outbox')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Puts a mail that failed, or was kept for want of a mail server, back into the queue with 48 hours of its own; one
 * that waits for its next try is due at once. Null: every such mail. Answers how many.
 */
export async function retryMails(db: Db, id: number | null): Promise<number> {
  let query = db
    .updateTable('mail_outbox')
    .set({ state: 'queued', due_at: sql<Date>`now()`, trying_since: sql<Date>`now()` })
    .where('state', 'in', ['failed', 'kept', 'queued'])
    .where('lease_owner', 'is', null);
  if (id !== null) query = query.where('id', '=', id);
  const { numUpdatedRows } = await query.executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Mails hold addresses and links: they are not kept longer than anybody asks for them. */
export async function forgetOldMails(db: Db, days: number): Promise<void> {
  await sql`
    delete from mail_outbox
     where state <> 'queued' and created_at < now() - make_interval(days => ${days})`.execute(db);
}
