import { sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { containsIn } from '#app/platform/contains-in.server.ts';
import { readTablePage } from '#app/platform/read-table-page.server.ts';
import type { ContactInput } from './contact-input.ts';
import type { ContactQuery } from './contact-table.ts';

/**
 * A message with the addresses of `reader`, `assignee` and `closer`. `null` if unset or deleted.
 */
export type ContactMessage = Awaited<ReturnType<typeof listContactMessages>>['rows'][number];

export async function insertContactMessage(db: Db, message: ContactInput): Promise<number> {
  const { id } = await db
    .insertInto('contact_messages')
    .values(message)
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/**
 * Returns a page of the inbox for its `viewer`. The search covers name, address, subject and text.
 */
export async function listContactMessages(db: Db, query: ContactQuery, viewer: string) {
  const byState = query.sort === 'unread';
  const rows = withPeople(matching(db, query, viewer))
    .$if(byState, (one) => one.orderBy('m.is_read', query.isDescending ? 'desc' : 'asc'))
    .orderBy('m.id', byState || query.isDescending ? 'desc' : 'asc');
  return readTablePage(rows, query);
}

/** Returns the ids of all messages of a list, on all its pages. */
export async function listContactMessageIds(
  db: Db,
  query: ContactQuery,
  viewer: string,
): Promise<number[]> {
  const rows = await matching(db, query, viewer).select('m.id').execute();
  return rows.map(({ id }) => id);
}

export async function findContactMessage(db: Db, id: number) {
  const found = withPeople(db.selectFrom('contact_messages as m').where('m.id', '=', id));
  return (await found.executeTakeFirst()) ?? null;
}

/** Returns the number of messages in each view of the inbox. */
export function countMessageViews(db: Db, viewer: string) {
  const isOpen = sql`closed_at is null`;
  return ask(db).row<Record<'open' | 'mine' | 'unread' | 'closed' | 'all', number>>`
    select count(*) filter (where ${isOpen}) as open, count(*) filter (where ${isOpen} and assigned_to = ${viewer}) as mine,
           count(*) filter (where not is_read) as unread, count(closed_at) as closed, count(*) as all
      from contact_messages`;
}

export type ContactAnswer = Awaited<ReturnType<typeof listAnswers>>[number];

/**
 * Returns a message's answers, oldest first, each with the state of its email. The state is `null`
 * if the outbox no longer has the email.
 */
export function listAnswers(db: Db, messageId: number) {
  return db
    .selectFrom('contact_answers as a')
    .leftJoin('users as u', 'u.id', 'a.author')
    .leftJoin('mail_outbox as o', (join) =>
      join.on('o.key', '=', sql<string>`${answerKey('')} || a.id`),
    )
    .select(['a.id', 'a.body', 'a.created_at', 'u.email as author', 'u.full_name as authorName'])
    .select(['o.id as mailId', 'o.state as mail', 'o.last_error as mailError'])
    .where('a.message_id', '=', messageId)
    .orderBy('a.id')
    .execute();
}

/** Returns an answer with its message, and the ids of earlier answers. */
export async function findAnswer(db: Db, id: number) {
  const answer = await db
    .selectFrom('contact_answers as a')
    .innerJoin('contact_messages as m', 'm.id', 'a.message_id')
    .select(['a.id', 'a.body', 'm.id as messageId', 'm.subject', 'm.message', 'm.created_at'])
    .where('a.id', '=', id)
    .executeTakeFirst();
  if (!answer) return null;
  const before = await ask(db).column<number>`
    select id from contact_answers where message_id = ${answer.messageId} and id < ${id} order by id`;
  return { ...answer, before };
}

/** Returns the key of an answer's email. */
export const answerKey = (id: number | '') => `contact-answer:${id}`;

function matching(db: Db, { search, filters: { state } }: ContactQuery, viewer: string) {
  const found = db
    .selectFrom('contact_messages as m')
    .where(containsIn(search, 'm.name', 'm.email', 'm.subject', 'm.message'));
  switch (state) {
    case 'all':
      return found;
    case 'read':
    case 'unread':
      return found.where('m.is_read', '=', state === 'read');
    case 'closed':
      return found.where('m.closed_at', 'is not', null);
    case 'mine':
      return found.where('m.closed_at', 'is', null).where('m.assigned_to', '=', viewer);
    default:
      return found.where('m.closed_at', 'is', null);
  }
}

function withPeople(query: ReturnType<typeof matching>) {
  return query
    .leftJoin('users as u', 'u.id', 'm.read_by')
    .leftJoin('users as w', 'w.id', 'm.assigned_to')
    .leftJoin('users as c', 'c.id', 'm.closed_by')
    .select(['m.id', 'm.name', 'm.email', 'm.subject', 'm.message', 'm.is_read', 'm.read_at'])
    .select(['m.created_at', sql<string | null>`u.email`.as('reader')])
    .select(['m.assigned_to', 'w.email as assignee', 'w.full_name as assigneeName'])
    .select(['m.closed_at', 'c.email as closer'])
    .select(
      sql<number>`(select count(*) from contact_answers a where a.message_id = m.id)`.as('answers'),
    )
    .select(
      sql<boolean>`exists (select from contact_answers a join mail_outbox o on o.key = ${answerKey('')} || a.id
        where a.message_id = m.id and o.state = 'failed')`.as('hasFailed'),
    );
}
