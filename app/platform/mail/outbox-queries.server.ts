import { sql } from 'kysely';
import type { Db, Tx } from '#database/connect.ts';
import { containsIn } from '#app/platform/contains-in.server.ts';
import { readTablePage } from '#app/platform/read-table-page.server.ts';
import type { TablePage } from '#app/platform/table-query.ts';
import type { OutboxMail } from './mail-kind.server.ts';
import type { MailState } from './mail-states.ts';
import type { OutboxQuery } from './outbox-table.ts';

/** What staff see of a mail: all but its content. */
export const entryColumns = [
  'id',
  'kind',
  'recipient',
  'state',
  'attempts',
  'unsure_count',
  'due_at',
  'sent_at',
  'reply',
  'last_error',
  'created_at',
] as const;

/** A row of the list: no content. */
export type OutboxEntry = Pick<OutboxMail, (typeof entryColumns)[number]>;

/** Newest first. */
export function listOutbox(
  db: Db,
  { state, limit }: { state: MailState | null; limit: number },
): Promise<OutboxEntry[]> {
  let query = db.selectFrom('mail_outbox').select(entryColumns).orderBy('id', 'desc').limit(limit);
  if (state !== null) query = query.where('state', '=', state);
  return query.execute();
}

/** A page of the outbox, by recipient or kind. */
export async function listOutboxPage(db: Db, query: OutboxQuery): Promise<TablePage<OutboxEntry>> {
  let found = db.selectFrom('mail_outbox');
  const { state } = query.filters;
  if (state !== null) found = found.where('state', '=', state as MailState);
  found = found.where(containsIn(query.search, 'recipient', 'kind'));
  const direction = query.isDescending ? 'desc' : 'asc';
  const rows = found
    .select(entryColumns)
    .$if(query.sort === 'tries', (one) => one.orderBy('attempts', direction))
    .orderBy('id', direction);
  return readTablePage(rows, query);
}

export async function countOutbox(db: Db): Promise<Record<MailState, number>> {
  const counts = { queued: 0, sent: 0, failed: 0, cancelled: 0, kept: 0 };
  const rows = await db
    .selectFrom('mail_outbox')
    .select(['state', (eb) => eb.fn.countAll<number>().as('count')])
    .groupBy('state')
    .execute();
  for (const { state, count } of rows) counts[state] = count;
  return counts;
}

export async function findOutboxMail(db: Db, id: number): Promise<OutboxMail | null> {
  const found = db.selectFrom('mail_outbox').selectAll().where('id', '=', id);
  return (await found.executeTakeFirst()) ?? null;
}

/** Queues a mail that failed, waits or was kept, due at once and for 48 hours; null: all of them. Answers how many. */
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

/** Cancels the mails of one kind to one user that have not left; one that is leaving at this moment leaves. */
export async function cancelMails(tx: Tx, kind: string, userId: string): Promise<void> {
  await tx
    .updateTable('mail_outbox')
    .set({ state: 'cancelled' })
    .where('kind', '=', kind)
    .where('user_id', '=', userId)
    .where('state', 'in', ['queued', 'failed', 'kept'])
    .where((eb) => eb.or([eb('lease_until', 'is', null), eb('lease_until', '<', sql<Date>`now()`)]))
    .execute();
}
