import { sql } from 'kysely';
import type { Db, Tx } from '#database/connect.ts';
import { ask } from '#database/ask.ts';
import { containsIn } from '#app/platform/contains-in.server.ts';
import { startsWithPattern } from '#app/platform/like-pattern.ts';
import { readTablePage } from '#app/platform/read-table-page.server.ts';
import type { TablePage } from '#app/platform/table-query.ts';
import type { OutboxMail } from './mail-kind.server.ts';
import { type MailState, mailStates } from './mail-states.ts';
import { mostListed, type OutboxQuery } from './outbox-table.ts';

/** The columns of an email that staff may see: all except its content. */
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
  'subject',
  'last_error',
  'created_at',
] as const;

/** An email in the list, without its content. */
export type OutboxEntry = Pick<OutboxMail, (typeof entryColumns)[number]>;

/** Lists the emails of the outbox, newest first. */
export function listOutbox(
  db: Db,
  { state, limit }: { state: MailState | null; limit: number },
): Promise<OutboxEntry[]> {
  let query = db.selectFrom('mail_outbox').select(entryColumns).orderBy('id', 'desc').limit(limit);
  if (state !== null) query = query.where('state', '=', state);
  return query.execute();
}

/**
 * emails; kinds, subjects and parts of addresses are searched only within this many of the newest
 */
const mostSearched = 20_000;

/**
 * Returns a page of the newest emails that match the query. The search matches any part of the
 * address, the kind or the stored subject.
 */
export async function listOutboxPage(db: Db, query: OutboxQuery): Promise<TablePage<OutboxEntry>> {
  const { state } = query.filters;
  const newest = db
    .selectFrom('mail_outbox')
    .$if(state !== null, (one) => one.where('state', '=', state as MailState))
    .$if(query.search !== '', (one) => one.where(isFound(query.search)))
    .select(entryColumns)
    .orderBy('id', 'desc')
    .limit(mostListed);
  const direction = query.isDescending ? 'desc' : 'asc';
  const rows = db
    .selectFrom(newest.as('newest'))
    .selectAll()
    .$if(query.sort === 'tries', (one) => one.orderBy('attempts', direction))
    .orderBy('id', direction);
  return readTablePage(rows, query);
}

function isFound(search: string) {
  return sql<boolean>`id in (
    (select id from mail_outbox where lower(recipient) like ${startsWithPattern(search.toLowerCase())} order by id desc limit ${mostListed})
    union all
    select id from (select id, recipient, kind, subject from mail_outbox order by id desc limit ${mostSearched}) newest
     where ${containsIn(search, 'recipient', 'kind', 'subject')})`;
}

/** Counts the emails in each state, up to `mostListed` + 1. */
export async function countOutbox(db: Db): Promise<Record<MailState, number>> {
  const counts = { queued: 0, sent: 0, failed: 0, cancelled: 0, kept: 0 };
  const of = (state: MailState) => sql`
    select ${state} as state, count(*) from (
      select from mail_outbox where state = ${sql.lit(state)} limit ${mostListed + 1}) counted`;
  const rows = await ask(db).rows<{ state: MailState; count: number }>`
    ${sql.join(mailStates.map(of), sql` union all `)}`;
  for (const { state, count } of rows) counts[state] = count;
  return counts;
}

/** Returns emails with their content, by id. */
export async function findOutboxMails(
  db: Db,
  ids: readonly number[],
): Promise<Map<number, OutboxMail>> {
  if (ids.length === 0) return new Map();
  const rows: OutboxMail[] = await db
    .selectFrom('mail_outbox')
    .selectAll()
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** Stores the subjects of emails that have none yet. */
export async function storeSubjects(db: Db, subjects: ReadonlyMap<number, string>): Promise<void> {
  if (subjects.size === 0) return;
  const rows = [...subjects].map(([id, subject]) => ({ id, subject }));
  await ask(db).rows`
    update mail_outbox m set subject = s.subject
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as s (id bigint, subject text)
     where m.id = s.id and m.subject is null`;
}

export async function findOutboxMail(db: Db, id: number): Promise<OutboxMail | null> {
  const found = db.selectFrom('mail_outbox').selectAll().where('id', '=', id);
  return (await found.executeTakeFirst()) ?? null;
}

/**
 * Requeues an email that failed, waits or was kept. The email is due at once, and is retried for 48
 * hours. With null, requeues all such emails. Returns their number.
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

/**
 * Cancels the unsent emails of one kind to one user. An email that is being sent at this moment is
 * not stopped.
 */
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
