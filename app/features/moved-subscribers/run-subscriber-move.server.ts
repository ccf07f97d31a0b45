import { sql } from 'kysely';
import { writeAudit } from '#app/platform/audit/audit.server.ts';
import { ask } from '#database/ask.ts';
import type { Db, Tx } from '#database/connect.ts';
import {
  countOutcomes,
  rowsWithOutcome,
  type SubscriberMove,
} from './subscriber-move-queries.server.ts';

/** The owner's choices for a list. */
export type MoveChoices = Pick<SubscriberMove, 'source' | 'states_consent' | 'blank_state'>;

const rowsAtATime = 2_000;

export const longestSource = 300;

export const areSubscriberMovesDue = () => sql`exists (
  select from subscriber_moves where state in ('running', 'undoing'))`;

/** Stores the choices for a preview, without changing any subscription. */
export async function chooseForMove(db: Db, id: number, choices: MoveChoices): Promise<void> {
  await db
    .updateTable('subscriber_moves')
    .set(choices)
    .where('id', '=', id)
    .where('state', '=', 'ready')
    .execute();
}

/**
 * Starts an import. Returns false if it is not a preview, for example when the button was pressed
 * twice.
 */
export function startSubscriberMove(
  db: Db,
  id: number,
  { actor, ...choices }: MoveChoices & { actor: string },
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const move = await lockMove(tx, id);
    if (move?.state !== 'ready') return false;
    await tx
      .updateTable('subscriber_moves')
      .set({ ...choices, state: 'running' })
      .where('id', '=', id)
      .execute();
    const counts = await countOutcomes(tx, { ...move, ...choices });
    await writeAudit(tx, {
      actor,
      action: 'subscriber_move.run',
      entity: 'subscriber_move',
      entityId: id,
      after: { ...choices, ...counts },
    });
    return true;
  });
}

/** Starts undoing an import. Imported unsubscribes and suspensions are kept. */
export function undoSubscriberMove(db: Db, id: number, actor: string): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const move = await lockMove(tx, id);
    if (move?.state !== 'running' && move?.state !== 'done') return false;
    await tx
      .updateTable('subscriber_moves')
      .set({ state: 'undoing', undone_by: actor })
      .where('id', '=', id)
      .execute();
    await writeAudit(tx, {
      actor,
      action: 'subscriber_move.undo',
      entity: 'subscriber_move',
      entityId: id,
      before: move.counts,
    });
    return true;
  });
}

/** Continues all imports, including those of killed processes. */
export async function moveSubscribers(db: Db, signal?: AbortSignal): Promise<void> {
  const ids = await ask(db).column<number>`
    select id from subscriber_moves where state in ('running', 'undoing') order by id`;
  for (const id of ids) await advanceSubscriberMove(db, id, { signal });
}

/**
 * Continues an import by at most `batches`. Each batch is a transaction that stores its progress.
 * Two processes can share an import, and a killed one loses only its batch.
 */
export async function advanceSubscriberMove(
  db: Db,
  id: number,
  { batches = Infinity, signal }: { batches?: number; signal?: AbortSignal | undefined } = {},
): Promise<void> {
  for (let done = 0; done < batches; done++) {
    if (signal?.aborted) return;
    const isMore = await db.transaction().execute(async (tx) => {
      const move = await lockMove(tx, id);
      if (move?.state === 'running') return moveBatch(tx, move);
      if (move?.state === 'undoing') return undoBatch(tx, move);
      return false;
    });
    if (!isMore) return;
  }
}

async function lockMove(tx: Tx, id: number): Promise<SubscriberMove | undefined> {
  return tx
    .selectFrom('subscriber_moves')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

/** Imports the next rows, and returns whether there may be more. */
async function moveBatch(tx: Tx, move: SubscriberMove): Promise<boolean> {
  const lines = await ask(tx).column<number>`
    select line from subscriber_move_rows where move_id = ${move.id} and line > ${move.done_line}
     order by line limit ${rowsAtATime}`;
  const last = lines.at(-1);
  if (last === undefined) {
    await end(tx, move.id, 'done');
    return false;
  }
  const inBatch = sql`r.line > ${move.done_line} and r.line <= ${last}`;
  await ask(tx).rows`
    with planned as (${rowsWithOutcome(move, inBatch)})
    update subscriber_move_rows r set outcome = planned.outcome
      from planned where r.move_id = ${move.id} and r.line = planned.line`;
  await write(tx, move, inBatch);
  await ask(tx).rows`
    update subscriber_moves set done_line = ${last}, counts = coalesce((
      select jsonb_object_agg(name, total) from (
        select name, sum(n)::integer as total from (
          select key as name, value::integer as n from jsonb_each_text(counts)
          union all
          select r.outcome, count(*) from subscriber_move_rows r
           where r.move_id = ${move.id} and ${inBatch} group by r.outcome) both_parts
         group by name) sums), '{}')
     where id = ${move.id}`;
  return true;
}

/**
 * Writes the planned rows. An address that subscribes here at the same moment keeps its own
 * subscription, and an unsubscribe always wins.
 */
async function write(tx: Tx, move: SubscriberMove, inBatch: ReturnType<typeof sql>): Promise<void> {
  const own = sql`r.move_id = ${move.id} and ${inBatch}`;
  const source = move.source || move.file_name;
  await ask(tx).rows`
    insert into newsletter_subscriptions (email, is_active, subscribed_at, confirmed_at, consent_source, move_id)
    select r.email, true, coalesce(r.consent_at, now()), r.consent_at, ${source}, ${move.id}
      from subscriber_move_rows r where ${own} and r.outcome in ('joined', 'joined-stated')
     order by r.line
    on conflict do nothing`;
  await ask(tx).rows`
    insert into newsletter_subscriptions as s (email, is_active, subscribed_at, confirmed_at, unsubscribed_at, consent_source)
    select r.email, false, coalesce(r.consent_at, r.left_at, now()), r.consent_at, coalesce(r.left_at, now()), ${source}
      from subscriber_move_rows r where ${own} and r.outcome in ('suppressed', 'ended')
     order by r.line
    on conflict (lower(email)) do update
       set is_active = false, unsubscribed_at = excluded.unsubscribed_at
     where s.unsubscribed_at is null`;
  await ask(tx).rows`
    insert into mail_suspensions (recipient, reason, source, diagnostic, since)
    select lower(r.email), 'bounce', 'move-in', ${`Bounced: ${source}`.slice(0, 500)}, coalesce(r.left_at, now())
      from subscriber_move_rows r where ${own} and r.outcome = 'suspended'
     order by r.line
    on conflict do nothing`;
}

/**
 * Removes the next subscriptions that an import added, and returns whether there may be more.
 * People who have unsubscribed since then remain unsubscribed.
 */
async function undoBatch(tx: Tx, move: SubscriberMove): Promise<boolean> {
  const gone = await ask(tx).column<number>`
    delete from newsletter_subscriptions where id in (
      select id from newsletter_subscriptions
       where move_id = ${move.id} and unsubscribed_at is null order by id limit ${rowsAtATime})
    returning id`;
  if (gone.length > 0) return true;
  await end(tx, move.id, 'undone');
  return false;
}

async function end(tx: Tx, id: number, state: 'done' | 'undone'): Promise<void> {
  await tx
    .updateTable('subscriber_moves')
    .set({ state, ended_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute();
}
