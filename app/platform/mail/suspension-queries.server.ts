import { type RawBuilder, sql } from 'kysely';
import { containsIn } from '#app/platform/contains-in.server.ts';
import { cutText } from '#app/platform/cut-text.ts';
import { readTablePage } from '#app/platform/read-table-page.server.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import type { MailTables } from '#database/schema/mail-tables.ts';
import type { SuspensionQuery } from './suspension-table.ts';

type Columns = MailTables['mail_suspensions'];

export interface Suspension {
  address: string;
  reason: Columns['reason'];
  source: Columns['source'];
  /** The reply of the server or the provider. */
  diagnostic: string;
  mailId: number | null;
  /** The time of the event. null: the current time. */
  at: Date | null;
}

const longestDiagnostic = 500;

/**
 * Stops newsletters and alerts to an address. Returns true if the report is new. A report that
 * arrives twice, or is older than the end of the last suspension, changes nothing. A complaint
 * outweighs a bounce.
 */
export async function suspendAddress(db: Db, suspension: Suspension): Promise<boolean> {
  const { address, reason, source, diagnostic, mailId, at } = suspension;
  const words = cutText(diagnostic.replace(/[\p{Cc}\s]+/gu, ' ').trim(), longestDiagnostic);
  const { numAffectedRows = 0n } = await sql`
    insert into mail_suspensions as was (recipient, reason, source, diagnostic, mail_id, since)
      values (${address.toLowerCase()}, ${reason}, ${source}, ${words}, ${mailId}, least(${at}::timestamptz, now()))
    on conflict (recipient) do update
       set reason = excluded.reason, source = excluded.source, diagnostic = excluded.diagnostic, mail_id = excluded.mail_id,
           since = excluded.since, lifted_at = null, lifted_by = null
     where excluded.since > was.lifted_at
        or (was.lifted_at is null and was.reason = 'bounce' and excluded.reason = 'complaint')`.execute(
    db,
  );
  return numAffectedRows > 0n;
}

/** Returns the reason why no newsletters or alerts are sent to an address, or null. */
export async function findSuspension(db: Db, address: string) {
  const row = await db
    .selectFrom('mail_suspensions')
    .select(['id', 'reason', 'since'])
    .where('recipient', '=', address.toLowerCase())
    .where('lifted_at', 'is', null)
    .executeTakeFirst();
  return row ?? null;
}

/** Returns the SQL condition that the address in a column is suspended. */
export function isSuspended(address: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`exists (select from mail_suspensions where recipient = lower(${address}) and lifted_at is null)`;
}

/**
 * Lifts the suspension of an address whose owner followed an emailed link, which proves that
 * emails arrive and are wanted.
 */
export async function liftByConfirming(db: Db, address: string): Promise<void> {
  await liftOf(db, null).where('recipient', '=', address.toLowerCase()).execute();
}

/**
 * Returns an update that lifts suspensions. `by` is the id of a staff member, or null if the owner
 * of the address confirmed it.
 */
export function liftOf(db: Db, by: string | null) {
  return db
    .updateTable('mail_suspensions')
    .set({ lifted_at: sql<Date>`now()`, lifted_by: by })
    .where('lifted_at', 'is', null);
}

/**
 * Finds the email for a report that names none: the newest email to this address, or null if none
 * was sent.
 */
export function findNewestMail(db: Db, address: string): Promise<number | null> {
  return ask(db).value<number>`
    select max(id) from mail_outbox where lower(recipient) = ${address.toLowerCase()} and state = 'sent'`;
}

/** Lists a page of suspended addresses, including those whose suspension was lifted recently. */
export function listSuspensions(db: Db, query: SuspensionQuery) {
  const direction = query.isDescending ? 'desc' : 'asc';
  const rows = matchingSuspensions(db, query)
    .select(['id', 'recipient', 'reason', 'source', 'diagnostic', 'mail_id'])
    .select(['since', 'lifted_at', 'lifted_by'])
    .orderBy('since', direction)
    .orderBy('id', direction);
  return readTablePage(rows, query);
}

export type SuspensionRow = Awaited<ReturnType<typeof listSuspensions>>['rows'][number];

export function matchingSuspensions(db: Db, { search, filters }: SuspensionQuery) {
  const { state, reason } = filters;
  return db
    .selectFrom('mail_suspensions')
    .where(containsIn(search, 'recipient'))
    .$if(reason !== null, (one) => one.where('reason', '=', reason as Suspension['reason']))
    .$if(state !== null, (one) =>
      one.where('lifted_at', state === 'lifted' ? 'is not' : 'is', null),
    );
}

export function countSuspensions(db: Db) {
  const of = (reason: Suspension['reason']) =>
    sql<number>`count(*) filter (where reason = ${reason})`;
  return db
    .selectFrom('mail_suspensions')
    .select([of('bounce').as('bounce'), of('complaint').as('complaint')])
    .where('lifted_at', 'is', null)
    .executeTakeFirstOrThrow();
}
