import { randomUUID } from 'node:crypto';
import { type Insertable, type RawBuilder, sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db, Tx } from '#database/connect.ts';
import type { Database } from '#database/schema.ts';
import type { BulkVerb } from '#database/schema/catalog-tables.ts';
import { listBatchIds } from '#app/platform/audit/audit-batches.server.ts';
import { writeAudit } from '#app/platform/audit/audit.server.ts';
import {
  deleteDeals,
  listBatch,
  type RestoreFailure,
  restoreDeals,
} from './delete-deals.server.ts';
import { editDeals, putBack, type SeenEdit } from './edit-deals.server.ts';
import { decideHeldPrices } from './held-prices.server.ts';
import { listManagedIds } from './managed-deal-queries.server.ts';
import type { ManagedDealFilter } from './deals-table.ts';

/** deals; larger bulk changes run as a job */
export const mostInRequest = 200;

export interface BulkChange {
  actor: string;
  verb: BulkVerb;
  /** The new category for the verb `category`. */
  categoryId: number | null;
  /**
   * The new values for the verbs `price` and `end`, and the time when the deals were seen. The verb
   * for held prices uses only the time.
   */
  edit?: SeenEdit | { seen: string } | null;
  /** The key of the deleted deals that are kept for undo, or of edited deals' old values. */
  batch: string;
}

export type ChangeFailure = 'gone' | 'changed-meanwhile' | RestoreFailure;
export interface ChangeOutcome {
  /** The number of changed deals. Activating an active deal does not count. */
  changed: number;
  failures: { id: number; reason: ChangeFailure }[];
}

export type ChangeDealsResult =
  /** `report` is the row that lists failures, if any. */
  | ({
      ok: true;
      state: 'done';
      batch: string;
      asked: number;
      report: number | null;
    } & ChangeOutcome)
  | { ok: true; state: 'queued'; id: number; asked: number }
  | { ok: false; reason: 'nothing' | 'no-such-category' }
  | { ok: false; reason: 'count-changed'; seen: number; count: number };

/** The selected deals, or all deals of a filter with the number that was confirmed. */
export type DealSelection =
  | { ids: number[] }
  | { filter: ManagedDealFilter; expectedCount: number };

/** Changes many deals directly, or in a job if there are more than `mostInRequest`. */
export async function changeDeals(
  db: Db,
  wanted: Omit<BulkChange, 'batch'> & { verb: Exclude<BulkVerb, 'restore' | 'put-back'> },
  selection: DealSelection,
): Promise<ChangeDealsResult> {
  return db.transaction().execute(async (tx): Promise<ChangeDealsResult> => {
    const ids =
      'ids' in selection
        ? selection.ids.toSorted((one, other) => one - other)
        : await listManagedIds(tx, selection.filter);
    const seen = 'ids' in selection ? ids.length : selection.expectedCount;
    if (seen !== ids.length) {
      return { ok: false, reason: 'count-changed', seen, count: ids.length };
    }
    if (wanted.verb === 'category' && !(await isCategory(tx, wanted.categoryId))) {
      return { ok: false, reason: 'no-such-category' };
    }
    return begin(tx, { ...wanted, batch: randomUUID() }, ids);
  });
}

/**
 * Undoes a whole deletion within the hour, directly or in a job, in the same way as the deletion.
 */
export async function undoDeletion(db: Db, { actor, batch }: { actor: string; batch: string }) {
  return db.transaction().execute((tx) => restoreBatch(tx, { actor, batch, canUndo: true }));
}

/** Restores the deals of a deletion. If `canUndo`, only deals deleted within the last hour. */
export async function restoreBatch(
  tx: Tx,
  { actor, batch, canUndo }: { actor: string; batch: string; canUndo: boolean },
) {
  const change: BulkChange = { actor, verb: 'restore', categoryId: null, batch };
  return begin(tx, change, await listBatch(tx, batch, canUndo));
}

/** Undoes a bulk edit, except for deals changed again since. */
export async function undoEdit(db: Db, { actor, batch }: { actor: string; batch: string }) {
  return db.transaction().execute(async (tx) => {
    const change: BulkChange = { actor, verb: 'put-back', categoryId: null, batch };
    return begin(tx, change, await listBatchIds(tx, batch));
  });
}

/** Changes the locked deals and writes the audit entry. */
export async function applyChange(tx: Tx, change: BulkChange, ids: number[]) {
  if (change.verb === 'restore') {
    const { restored, failures } = await restoreDeals(tx, { ids, batch: change.batch });
    await audit(tx, change, restored);
    return { changed: restored.length, failures };
  }
  // Locks the rows in a fixed order, so that concurrent changes of the same deals cannot deadlock.
  const present = await ask(tx).rows<{ id: number; category_id: number }>`
    select id, category_id from deals where id = any(${ids}::bigint[]) order by id for update`;
  const known = new Set(present.map((deal) => deal.id));
  const failures = ids
    .filter((id) => !known.has(id))
    .map((id) => ({ id, reason: 'gone' as const }));
  if (change.verb === 'delete') {
    const deleted = await deleteDeals(tx, { ...change, ids });
    const titles = Object.fromEntries(deleted.map(({ id, title }) => [id, title]));
    const gone = deleted.map(({ id }) => id);
    await audit(tx, change, gone, { titles });
    return { changed: gone.length, failures };
  }
  if (change.verb === 'approve-price' || change.verb === 'refuse-price') {
    const answer = change.verb === 'approve-price' ? 'approve' : 'refuse';
    const act = { actor: change.actor, answer, seen: change.edit?.seen ?? 'infinity' } as const;
    return outcomeOf(await decideHeldPrices(tx, act, [...known]), failures);
  }
  if (change.verb === 'price' || change.verb === 'end' || change.verb === 'put-back') {
    return outcomeOf(await edit(tx, change, [...known]), failures);
  }
  const { set, where } = settings[change.verb](change);
  const changed = await ask(tx).column<number>`
    update deals set ${set}, version = version + 1, updated_at = now()
     where id = any(${ids}::bigint[]) and (${where})
    returning id`;
  const categories = Object.fromEntries(present.map((deal) => [deal.id, deal.category_id]));
  await audit(tx, change, changed, change.verb === 'category' ? { categories } : null);
  return { changed: changed.length, failures };
}

function outcomeOf(
  { ids, changedMeanwhile }: { ids: number[]; changedMeanwhile: number[] },
  failures: ChangeOutcome['failures'],
): ChangeOutcome {
  const newer = changedMeanwhile.map((id) => ({ id, reason: 'changed-meanwhile' as const }));
  return { changed: ids.length, failures: [...failures, ...newer] };
}

/**
 * Edits the deals, and stores each one's old and new value in the audit entry, for readers and for
 * undo.
 */
async function edit(tx: Tx, { actor, verb, batch, edit: wanted }: BulkChange, ids: number[]) {
  const done =
    wanted && 'field' in wanted
      ? await editDeals(tx, { ...wanted, actor }, ids)
      : await putBack(tx, { actor, batch }, ids);
  if (!done) return { ids: [], changedMeanwhile: ids };
  if (done.ids.length > 0) {
    await writeAudit(tx, {
      actor,
      action: `deal.${verb}`,
      entity: 'deal',
      entityId: done.ids.length === 1 ? done.ids[0] : null,
      before: { values: { [done.field]: done.was } },
      after: {
        ids: done.ids,
        // An edit can be undone, but an undo cannot.
        ...(wanted ? { batch } : {}),
        values: { [done.field]: done.is },
      },
    });
  }
  return done;
}

type Setting = { set: RawBuilder<unknown>; where: RawBuilder<unknown> };
const settings: Record<
  Exclude<
    BulkVerb,
    'restore' | 'delete' | 'price' | 'end' | 'put-back' | 'approve-price' | 'refuse-price'
  >,
  (change: BulkChange) => Setting
> = {
  // A deal that waits for a price becomes active when it gets one.
  activate: () => ({
    set: sql`is_active = true`,
    where: sql`not (is_active or waits_for_price)`,
  }),
  deactivate: () => ({
    set: sql`is_active = false, waits_for_price = false`,
    where: sql`is_active or waits_for_price`,
  }),
  feature: () => ({ set: sql`is_featured = true`, where: sql`not is_featured` }),
  unfeature: () => ({ set: sql`is_featured = false`, where: sql`is_featured` }),
  category: ({ categoryId }) => ({
    set: sql`category_id = ${categoryId}::bigint`,
    where: sql`category_id <> ${categoryId}::bigint`,
  }),
};

async function begin(tx: Tx, change: BulkChange, ids: number[]): Promise<ChangeDealsResult> {
  const asked = ids.length;
  if (asked === 0) return { ok: false, reason: 'nothing' };
  const { actor, verb, categoryId: category_id, batch } = change;
  const wanted = change.edit ? JSON.stringify(change.edit) : null;
  const row = { actor, verb, category_id, edit: wanted, batch, deal_ids: ids };
  if (asked > mostInRequest) {
    return { ok: true, state: 'queued', id: await insertChange(tx, row), asked };
  }
  const { changed, failures } = await applyChange(tx, change, ids);
  const report =
    asked > 1 && failures.length > 0
      ? await insertChange(tx, {
          ...row,
          done: asked,
          changed,
          failed: failures.length,
          state: 'done',
          failures: JSON.stringify(failures),
          finished_at: new Date(),
        })
      : null;
  return { ok: true, state: 'done', batch, asked, report, changed, failures };
}

async function insertChange(tx: Tx, row: Insertable<Database['bulk_changes']>): Promise<number> {
  const change = tx.insertInto('bulk_changes').values(row).returning('id');
  return (await change.executeTakeFirstOrThrow()).id;
}

async function isCategory(tx: Tx, id: number | null): Promise<boolean> {
  return (await ask(tx).value`select id from categories where id = ${id}`) !== null;
}

async function audit(tx: Tx, change: BulkChange, ids: number[], before: object | null = null) {
  if (ids.length === 0) return;
  const { actor, verb, categoryId } = change;
  await writeAudit(tx, {
    actor,
    action: `deal.${verb}`,
    entity: 'deal',
    entityId: ids.length === 1 ? ids[0] : null,
    before,
    after: categoryId === null ? { ids } : { ids, category_id: categoryId },
  });
}
