import { sql } from 'kysely';
import { isBatchKept } from '#app/platform/audit/audit-batches.server.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import type { BulkVerb } from '#database/schema/catalog-tables.ts';
import type { ChangeFailure } from './change-deals.server.ts';

/** The progress of a bulk change. */
export interface BulkProgress {
  id: number;
  verb: BulkVerb;
  batch: string;
  total: number;
  done: number;
  changed: number;
  failed: number;
  /** The first hundred failures. */
  failures: { id: number; reason: ChangeFailure }[];
  state: 'queued' | 'done' | 'failed';
  created_at: Date;
  finished_at: Date | null;
  category: string | null;
  /** Whether a deletion or an edit can still be undone. */
  canUndo: boolean;
}

const canPutBack = sql`(${isBatchKept(sql`b.batch::text`)}
  and not exists (select from bulk_changes u where u.batch = b.batch and u.verb = 'put-back'))`;

export async function readBulkProgress(db: Db, id: number): Promise<BulkProgress | null> {
  return ask(db).row<BulkProgress>`
    select b.id, b.verb, b.batch, b.total, b.done, b.changed, b.failed, b.failures, b.state, b.created_at, b.finished_at,
           c.name as category,
           b.state <> 'queued' and case b.verb
             when 'delete' then exists (select from deleted_deals where batch = b.batch and deleted_at > now() - interval '1 hour')
             when 'price' then ${canPutBack} when 'end' then ${canPutBack} else false end as "canUndo"
      from bulk_changes b left join categories c on c.id = b.category_id
     where b.id = ${id}`;
}

/** Resumes a stopped change. */
export async function resumeBulkChange(db: Db, id: number): Promise<boolean> {
  const resumed = await ask(db).rows`
    update bulk_changes set state = 'queued', error = null, finished_at = null
     where id = ${id} and state = 'failed' returning id`;
  return resumed.length > 0;
}
