import { sql } from 'kysely';
import type { Db } from '#database/connect.ts';
import { containsPattern } from '#app/platform/like-pattern.ts';
import { readTablePage } from '#app/platform/read-table-page.server.ts';
import type { TablePage } from '#app/platform/table-query.ts';
import type { ContactInput } from './contact-input.ts';
import type { ContactQuery } from './contact-table.ts';

export interface ContactMessage {
  id: number;
  name: string;
  email: string;
  subject: string;
  message: string;
  is_read: boolean;
  read_at: Date | null;
  /** The address of whoever marked it as read; null when nobody did, or they are gone. */
  reader: string | null;
  created_at: Date;
}

export async function insertContactMessage(db: Db, message: ContactInput): Promise<number> {
  const { name, email, subject, message: text } = message;
  const { id } = await db
    .insertInto('contact_messages')
    .values({ name, email, subject, message: text })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** A page of the inbox. The search is for words of name, address, subject and text. */
export async function listContactMessages(
  db: Db,
  query: ContactQuery,
): Promise<TablePage<ContactMessage>> {
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

export async function findContactMessage(db: Db, id: number): Promise<ContactMessage | null> {
  const row = await withReader(db.selectFrom('contact_messages as m').where('m.id', '=', id))
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

export async function countUnreadMessages(db: Db): Promise<number> {
  const { unread } = await db
    .selectFrom('contact_messages')
    .where('is_read', '=', false)
    .select((eb) => eb.fn.countAll<number>().as('unread'))
    .executeTakeFirstOrThrow();
  return unread;
}

function matching(db: Db, { search, filters }: ContactQuery) {
  let found = db.selectFrom('contact_messages as m');
  if (filters.state !== null) found = found.where('m.is_read', '=', filters.state === 'read');
  if (search === '') return found;
  const pattern = containsPattern(search);
  return found.where((eb) =>
    eb.or(
      (['m.name', 'm.email', 'm.subject', 'm.message'] as const).map((column) =>
        eb(column, 'ilike', pattern),
      ),
    ),
  );
}

function withReader(query: ReturnType<typeof matching>) {
  return query
    .leftJoin('users as u', 'u.id', 'm.read_by')
    .select(['m.id', 'm.name', 'm.email', 'm.subject', 'm.message', 'm.is_read', 'm.read_at'])
    .select(['m.created_at', sql<string | null>`u.email`.as('reader')]);
}
