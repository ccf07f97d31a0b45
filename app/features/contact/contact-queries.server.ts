import { sql } from 'kysely';
import type { Db } from '#database/connect.ts';
import { containsIn } from '#app/platform/contains-in.server.ts';
import { countRows, readTablePage } from '#app/platform/read-table-page.server.ts';
import type { ContactInput } from './contact-input.ts';
import type { ContactQuery } from './contact-table.ts';

/** `reader` is the address of whoever marked it as read; null when nobody did, or they are gone. */
export type ContactMessage = Awaited<ReturnType<typeof listContactMessages>>['rows'][number];

export async function insertContactMessage(db: Db, message: ContactInput): Promise<number> {
  const { id } = await db
    .insertInto('contact_messages')
    .values(message)
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** A page of the inbox. The search is for words of name, address, subject and text. */
export async function listContactMessages(db: Db, query: ContactQuery) {
  const byState = query.sort === 'unread';
  const rows = withReader(matching(db, query))
    .$if(byState, (one) => one.orderBy('m.is_read', query.isDescending ? 'desc' : 'asc'))
    .orderBy('m.id', byState || query.isDescending ? 'desc' : 'asc');
  return readTablePage(rows, query);
}

/** Of all that a list shows on its pages. */
export async function listContactMessageIds(db: Db, query: ContactQuery): Promise<number[]> {
  const rows = await matching(db, query).select('m.id').execute();
  return rows.map(({ id }) => id);
}

export async function findContactMessage(db: Db, id: number) {
  const found = withReader(db.selectFrom('contact_messages as m').where('m.id', '=', id));
  return (await found.executeTakeFirst()) ?? null;
}

export function countUnreadMessages(db: Db) {
  return countRows(db.selectFrom('contact_messages').where('is_read', '=', false));
}

function matching(db: Db, { search, filters: { state } }: ContactQuery) {
  const found = db
    .selectFrom('contact_messages as m')
    .where(containsIn(search, 'm.name', 'm.email', 'm.subject', 'm.message'));
  return state === null ? found : found.where('m.is_read', '=', state === 'read');
}

function withReader(query: ReturnType<typeof matching>) {
  return query
    .leftJoin('users as u', 'u.id', 'm.read_by')
    .select(['m.id', 'm.name', 'm.email', 'm.subject', 'm.message', 'm.is_read', 'm.read_at'])
    .select(['m.created_at', sql<string | null>`u.email`.as('reader')]);
}
