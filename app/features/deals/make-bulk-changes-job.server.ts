import { sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db, Tx } from '#database/connect.ts';
import type { Log } from '#app/platform/log.server.ts';
import { applyChange, type BulkChange, mostInRequest } from './change-deals.server.ts';
import { errorMessage } from '#database/error-code.ts';

const mostFailuresStored = 100;

interface Slice extends Omit<BulkChange, 'categoryId'> {
  id: number;
  category_id: number | null;
  ids: number[];
}

export const areBulkChangesDue = () =>
  sql`(select true from bulk_changes where state = 'queued' order by id limit 1)`;

/** Runs waiting bulk changes in batches, until none are left or the process stops. */
export async function makeBulkChanges({ db, log }: { db: Db; log: Log }, signal?: AbortSignal) {
  for (;;) {
    if (signal?.aborted) return;
    const taken: { slice: Slice | null } = { slice: null };
    try {
      const isAnyLeft = await db.transaction().execute(async (tx) => {
        taken.slice = await takeSlice(tx);
        if (taken.slice) await makeSlice(tx, taken.slice);
        return taken.slice !== null;
      });
      if (!isAnyLeft) return;
    } catch (error) {
      if (!taken.slice) throw error;
      const { id } = taken.slice;
      log.error({ err: error, change: id }, 'a change of many deals stopped');
      await sql`
        update bulk_changes set state = 'failed', error = ${errorMessage(error)}, finished_at = now()
         where id = ${id} and state = 'queued'`.execute(db);
    }
  }
}

/**
 * Processes a batch of a bulk change. The row is locked until the transaction ends, so that other
 * processes take other changes.
 */
async function takeSlice(tx: Tx): Promise<Slice | null> {
  return ask(tx).row<Slice>`
    select id, actor, verb, category_id, edit, batch,
           to_jsonb(deal_ids[done + 1 : done + ${mostInRequest}::integer]) as ids
      from bulk_changes where state = 'queued'
     order by id limit 1 for update skip locked`;
}

async function makeSlice(tx: Tx, { id, category_id, ids, ...change }: Slice): Promise<void> {
  const { changed, failures } = await applyChange(tx, { ...change, categoryId: category_id }, ids);
  await sql`
    update bulk_changes
       set done = done + ${ids.length}::integer, changed = changed + ${changed}::integer,
           failed = failed + ${failures.length}::integer,
           failures = (select coalesce(jsonb_agg(one), '[]') from (
             select one from jsonb_array_elements(failures || ${JSON.stringify(failures)}::jsonb) one
              limit ${mostFailuresStored}) kept),
           state = case when done + ${ids.length}::integer >= total then 'done' else 'queued' end,
           finished_at = case when done + ${ids.length}::integer >= total then now() end
     where id = ${id}`.execute(tx);
}
