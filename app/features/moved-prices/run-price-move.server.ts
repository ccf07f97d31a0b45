import { sql } from 'kysely';
import { writeAudit } from '#app/platform/audit/audit.server.ts';
import { ask } from '#database/ask.ts';
import type { Db, Tx } from '#database/connect.ts';
import {
  countPriceOutcomes,
  type PriceMove,
  pricesWithOutcome,
} from './price-move-queries.server.ts';

/** The owner's choices for a file. */
export type PriceMoveChoices = Pick<PriceMove, 'source' | 'day_order'>;

const rowsAtATime = 2_000;

export const arePriceMovesDue = () => sql`exists (
  select from price_moves where state in ('running', 'undoing'))`;

/** Stores the choices for a preview, without writing any price. */
export async function chooseForPrices(
  db: Db,
  id: number,
  choices: PriceMoveChoices,
): Promise<void> {
  await db
    .updateTable('price_moves')
    .set(choices)
    .where('id', '=', id)
    .where('state', '=', 'ready')
    .execute();
}

/**
 * Starts an import. Returns false if it is not a preview, for example when the button was pressed
 * twice.
 */
export function startPriceMove(
  db: Db,
  id: number,
  { actor, ...choices }: PriceMoveChoices & { actor: string },
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const move = await lockMove(tx, id);
    if (move?.state !== 'ready') return false;
    await tx
      .updateTable('price_moves')
      .set({ ...choices, state: 'running' })
      .where('id', '=', id)
      .execute();
    const counts = await countPriceOutcomes(tx, { ...move, ...choices });
    await writeAudit(tx, {
      actor,
      action: 'price_move.run',
      entity: 'price_move',
      entityId: id,
      after: { ...choices, ...counts },
    });
    return true;
  });
}

/** Starts removing the prices that an import added. */
export function undoPriceMove(db: Db, id: number, actor: string): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const move = await lockMove(tx, id);
    if (move?.state !== 'running' && move?.state !== 'done') return false;
    await tx
      .updateTable('price_moves')
      .set({ state: 'undoing', undone_by: actor })
      .where('id', '=', id)
      .execute();
    await writeAudit(tx, {
      actor,
      action: 'price_move.undo',
      entity: 'price_move',
      entityId: id,
      before: move.counts,
    });
    return true;
  });
}

/** Continues all imports, including those of killed processes. */
export async function movePrices(db: Db, signal?: AbortSignal): Promise<void> {
  const ids = await ask(db).column<number>`
    select id from price_moves where state in ('running', 'undoing') order by id`;
  for (const id of ids) await advancePriceMove(db, id, { signal });
}

/**
 * Continues an import by at most `batches`. Each batch is a transaction that stores its progress.
 * Two processes can share an import, and a killed one loses only its batch.
 */
export async function advancePriceMove(
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

async function lockMove(tx: Tx, id: number): Promise<PriceMove | undefined> {
  return tx
    .selectFrom('price_moves')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

/** Imports the next rows, and returns whether there may be more. */
async function moveBatch(tx: Tx, move: PriceMove): Promise<boolean> {
  const last = await ask(tx).value<number>`
    select max(line) from (
      select line from price_move_rows where move_id = ${move.id} and line > ${move.done_line}
       order by line limit ${rowsAtATime}) batch`;
  if (last === null) {
    await end(tx, move.id, 'done');
    return false;
  }
  const inBatch = sql`r.line > ${move.done_line} and r.line <= ${last}`;
  // Serializes batches, since two files may have the same days, and locks their deals against
  // deletion.
  await ask(tx).rows`select pg_advisory_xact_lock(hashtextextended('moved prices', 0))`;
  await ask(tx).rows`
    select from deals where id in (select r.deal_id from price_move_rows r where r.move_id = ${move.id} and ${inBatch})
     order by id for key share`;
  await ask(tx).rows`
    with planned as materialized (${pricesWithOutcome(move, inBatch)}), added as (
      insert into moved_prices (deal_id, day, sale_price, currency, source, move_id)
      select deal_id, day, price, currency, source, ${move.id} from planned where outcome = 'taken' and is_new order by line
    ), told as (
      update price_move_rows r set outcome = planned.outcome
        from planned where r.move_id = ${move.id} and r.line = planned.line and ${inBatch}
    )
    update price_moves set done_line = ${last}, counts = (
      select jsonb_object_agg(name, total) from (
        select name, sum(n)::integer as total from (
          select key as name, value::integer as n from jsonb_each_text(counts)
          union all
          select outcome, count(*) from planned group by outcome) both_parts
         group by name) sums)
     where id = ${move.id}`;
  return true;
}

/** Removes the next prices that an import added, and returns whether there may be more. */
async function undoBatch(tx: Tx, move: PriceMove): Promise<boolean> {
  const gone = await ask(tx).column<number>`
    delete from moved_prices where (deal_id, day) in (
      select deal_id, day from moved_prices where move_id = ${move.id} order by deal_id, day limit ${rowsAtATime})
    returning deal_id`;
  if (gone.length > 0) return true;
  await end(tx, move.id, 'undone');
  return false;
}

async function end(tx: Tx, id: number, state: 'done' | 'undone'): Promise<void> {
  await tx
    .updateTable('price_moves')
    .set({ state, ended_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute();
}
