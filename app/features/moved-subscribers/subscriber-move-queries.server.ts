import { type RawBuilder, type Selectable, sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import type { MailTables } from '#database/schema/mail-tables.ts';
import { leftOutcomes, type Outcome } from './subscriber-outcomes.ts';

export type SubscriberMove = Selectable<MailTables['subscriber_moves']>;

/** A row as shown or exported. */
export interface MoveRow {
  line: number;
  email: string;
  state: MailTables['subscriber_move_rows']['state'];
  outcome: Outcome;
}

export async function findSubscriberMove(db: Db, id: number): Promise<SubscriberMove | null> {
  const row = await db
    .selectFrom('subscriber_moves')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  return row ?? null;
}

/** Returns the latest imports. */
export function listSubscriberMoves(db: Db): Promise<SubscriberMove[]> {
  return db
    .selectFrom('subscriber_moves')
    .selectAll()
    .where('state', '<>', 'reading')
    .orderBy('id', 'desc')
    .limit(50)
    .execute();
}

/**
 * Selects rows `r` of an import with their outcome: the stored one, or the outcome of importing the
 * row now. The state on this site wins, unless the address unsubscribed or bounced in the list.
 */
export function rowsWithOutcome(move: SubscriberMove, condition: RawBuilder<unknown>) {
  const state = sql`case when r.state = 'unknown' then coalesce(${move.blank_state}::text, 'unknown') else r.state end`;
  return sql`
    select r.line, r.email, r.state, r.consent_at, r.left_at, s.id as subscription_id,
           coalesce(r.outcome, r.problem, case ${state}
             when 'unsubscribed' then case when s.id is null then 'suppressed'
               when s.unsubscribed_at is null then 'ended' else 'already-ended' end
             when 'bounced' then case when m.id is null then 'suspended' else 'already-ended' end
             when 'unconfirmed' then 'unconfirmed'
             when 'unknown' then 'no-status'
             else case when s.unsubscribed_at is not null then 'unsubscribed-here'
               when s.id is not null then 'already-here'
               when m.lifted_at is null and m.id is not null then 'suspended-here'
               when r.consent_at is not null then 'joined'
               when ${move.states_consent}::boolean then 'joined-stated'
               else 'no-consent' end end) as outcome
      from subscriber_move_rows r
      left join newsletter_subscriptions s on lower(s.email) = lower(r.email)
      left join mail_suspensions m on m.recipient = lower(r.email)
     where r.move_id = ${move.id} and ${condition}`;
}

/** Counts the rows of an import by outcome. */
export async function countOutcomes(
  db: Db,
  move: SubscriberMove,
): Promise<Partial<Record<Outcome, number>>> {
  if (move.state !== 'ready') return move.counts;
  const rows = await ask(db).rows<{ outcome: Outcome; count: number }>`
    select outcome, count(*)::integer as count from (${rowsWithOutcome(move, sql`true`)}) all_rows
     group by outcome`;
  return Object.fromEntries(rows.map(({ outcome, count }) => [outcome, count]));
}

const shownOfEach = 50;

/** Returns the first rows of each outcome, and none once they are deleted. */
export function listFirstRows(db: Db, move: SubscriberMove): Promise<MoveRow[]> {
  return ask(db).rows<MoveRow>`
    select line, email, state, outcome
      from (select line, email, state, outcome, row_number() over (partition by outcome order by line) as place
              from (${rowsWithOutcome(move, sql`true`)}) all_rows) ranked
     where place <= ${shownOfEach} order by line`;
}

const rowsAtATime = 2_000;

/** Yields the rows that were not imported, as fast as the client reads them. */
export async function* exportLeftOut(
  db: Db,
  move: SubscriberMove,
  describe: (outcome: Outcome) => string,
): AsyncGenerator<(string | number)[]> {
  for (let last = 0; ;) {
    const lines = await ask(db).column<number>`
      select line from subscriber_move_rows where move_id = ${move.id} and line > ${last}
       order by line limit ${rowsAtATime}`;
    const end = lines.at(-1);
    if (end === undefined) return;
    const rows = await ask(db).rows<MoveRow>`
      select line, email, state, outcome
        from (${rowsWithOutcome(move, sql`r.line > ${last} and r.line <= ${end}`)}) some_rows
       order by line`;
    last = end;
    for (const { line, email, state, outcome } of rows) {
      if (leftOutcomes.has(outcome)) yield [line, email, state, describe(outcome)];
    }
  }
}
