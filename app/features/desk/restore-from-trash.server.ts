import { findFreeSlug } from '#app/features/catalog/slug-queries.server.ts';
import {
  applyChange,
  type ChangeFailure,
  restoreBatch,
} from '#app/features/deals/change-deals.server.ts';
import { isTextName } from '#app/features/pages/site-texts.ts';
import { writeAudit } from '#app/platform/audit/audit.server.ts';
import { restoreEntry } from '#app/platform/trash/restore-deleted.server.ts';
import { ask } from '#database/ask.ts';
import type { Db, Tx } from '#database/connect.ts';
import { refuseKnown } from '#database/refuse-known.ts';
import { dealEntries, otherEntries } from './trash-queries.server.ts';
import { trashKindNames, type TrashKind, trashKindOf } from './trash-kinds.ts';

interface Entry {
  id: number;
  entity: TrashKind;
  row_id: number;
  name: string;
  batch: string | null;
}

/** The acting user, and the kinds of items that this user may restore. */
export interface TrashAct {
  actor: string;
  kinds: readonly TrashKind[];
}

export type RestoreFailureReason = ChangeFailure | 'taken' | 'there-again';
export interface TrashOutcome {
  /** `movedTo` is the new URL of a page whose old one was taken. */
  restored: { entity: TrashKind; name: string; movedTo: string | null }[];
  failures: { name: string; reason: RestoreFailureReason }[];
}

/**
 * Restores trash entries with their old ids. The merchant and category of a deal are restored with
 * it. A page whose slug is taken gets another. An entry that cannot be restored stays.
 */
export function restoreFromTrash(
  db: Db,
  ids: readonly number[],
  act: TrashAct,
): Promise<TrashOutcome> {
  return db.transaction().execute(async (tx) => {
    const found = await findEntries(tx, ids, act);
    const owners = await findOwners(tx, ids, act);
    const outcome: TrashOutcome = { restored: [], failures: [] };
    const wanted = new Map([...owners, ...found].map((entry) => [entry.id, entry]));
    for (const entry of inOrder([...wanted.values()])) {
      const done = await restoreOne(tx, entry, act.actor);
      const { entity, name } = entry;
      if ('reason' in done) outcome.failures.push({ name, reason: done.reason });
      else outcome.restored.push({ entity, name, movedTo: done.movedTo });
    }
    return outcome;
  });
}

/** Restores all deals that were deleted together with this one, in a job if there are many. */
export function restoreDeletion(db: Db, id: number, act: TrashAct) {
  return db.transaction().execute(async (tx) => {
    const [entry] = await findEntries(tx, [id], act);
    if (!entry?.batch) return { ok: false, reason: 'nothing' } as const;
    const { batch } = entry;
    const together = await ask(tx).column<number>`
      select id * 2 from deleted_deals where batch = ${batch}`;
    for (const owner of inOrder(await findOwners(tx, together, act))) {
      await restoreOne(tx, owner, act.actor);
    }
    return restoreBatch(tx, { actor: act.actor, batch, canUndo: false });
  });
}

/** Permanently deletes trash entries, and returns their number. */
export function purgeTrash(db: Db, ids: readonly number[], act: TrashAct): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const entries = await findEntries(tx, ids, act);
    const found = entries.map(({ id }) => id);
    const gone = new Set(
      await ask(tx).column<number>`
        with deals as (delete from deleted_deals where id = any(${dealEntries(found)}::bigint[]) returning id * 2 as id),
             others as (delete from deleted_rows where id = any(${otherEntries(found)}::bigint[]) returning id * 2 + 1 as id)
        select id from deals union all select id from others`,
    );
    for (const entity of trashKindNames) {
      const purged = entries.filter((entry) => entry.entity === entity && gone.has(entry.id));
      if (purged.length === 0) continue;
      const of = purged.map(({ row_id }) => row_id);
      await writeAudit(tx, {
        actor: act.actor,
        action: `${entity}.purge`,
        entity,
        entityId: of.length === 1 ? of[0] : null,
        before: { titles: Object.fromEntries(purged.map(({ row_id, name }) => [row_id, name])) },
        after: { ids: of },
      });
    }
    return gone.size;
  });
}

function findEntries(tx: Db, ids: readonly number[], { kinds }: TrashAct) {
  return ask(tx).rows<Entry>`
    select id, entity, row_id, name, batch from trash_entries
     where id = any(${ids}::bigint[]) and entity = any(${kinds}) order by id`;
}

/** Finds the merchants and categories in the trash that these items belong to. */
function findOwners(tx: Db, ids: readonly number[], { kinds }: TrashAct) {
  return ask(tx).rows<Entry>`
    with rows as (
      select snapshot #> '{deals,0}' as one from deleted_deals where id = any(${dealEntries(ids)}::bigint[])
      union all
      select kept -> 0 from deleted_row_parts where deleted_id = any(${otherEntries(ids)}::bigint[]) and place = 0)
    select distinct on (t.entity, t.row_id) t.id, t.entity, t.row_id, t.name, t.batch
      from (select distinct owner.entity, owner.id
              from rows, lateral (values ('merchant', one ->> 'merchant_id'), ('category', one ->> 'category_id')) owner (entity, id)) needed
      join trash_entries t on t.entity = needed.entity and t.row_id = needed.id::bigint
     where t.entity = any(${kinds})
     order by t.entity, t.row_id, t.id desc`;
}

function inOrder(entries: readonly Entry[]): Entry[] {
  return entries.toSorted(
    (one, other) =>
      trashKindNames.indexOf(one.entity) - trashKindNames.indexOf(other.entity) ||
      one.id - other.id,
  );
}

type Restored = { movedTo: string | null } | { reason: RestoreFailureReason };

function restoreOne(tx: Tx, entry: Entry, actor: string): Promise<Restored> {
  return entry.batch === null ? restoreRow(tx, entry, actor) : restoreDeal(tx, entry, actor);
}

async function restoreDeal(tx: Tx, { id, row_id, batch }: Entry, actor: string): Promise<Restored> {
  if (batch === null) return { reason: 'too-late' };
  const before = await ask(tx).value<string>`
    select snapshot #>> '{deals,0,slug}' from deleted_deals where id = ${id / 2}`;
  const change = { actor, verb: 'restore', categoryId: null, batch } as const;
  const { failures } = await applyChange(tx, change, [row_id]);
  const [failure] = failures;
  if (failure) return { reason: failure.reason };
  const slug = await ask(tx).value<string>`select slug from deals where id = ${row_id}`;
  return { movedTo: slug === before ? null : `/deals/${slug}` };
}

const pagesWithSlug = ['merchants', 'categories', 'blog_posts', 'site_pages'] as const;

async function restoreRow(tx: Tx, { id, entity, row_id }: Entry, actor: string): Promise<Restored> {
  const { table, unique, folder, restoredWith, logged } = trashKindOf(entity);
  const entry = (id - 1) / 2;
  const kept = await ask(tx).row<{ slug: string | null }>`
    select (select kept #>> '{0,slug}' from deleted_row_parts where deleted_id = r.id and place = 0) as slug
      from deleted_rows r where r.id = ${entry} for update`;
  if (!kept) return { reason: 'too-late' };
  const refusals = {
    ...(unique && { [unique]: 'taken' as const }),
    [`${table}_pkey`]: 'there-again',
    merchants_external_id_key: 'taken',
    coupons_merchant_id_fkey: 'no-such-merchant',
    slots_category_id_fkey: 'no-such-category',
    feed_sources_merchant_id_fkey: 'no-such-merchant',
    feed_sources_fallback_category_id_fkey: 'no-such-category',
  } as const;
  const result = await refuseKnown(tx, refusals, async (at) => {
    // Built-in site texts have fixed URLs.
    const isText = table === 'site_pages' && isTextName(kept.slug ?? '');
    const withSlug = isText ? undefined : pagesWithSlug.find((one) => one === table);
    const slug =
      withSlug && kept.slug !== null ? await findFreeSlug(at, withSlug, kept.slug, row_id) : null;
    const isMoved = slug !== null && slug !== kept.slug;
    const changed = { ...restoredWith, ...(isMoved && { slug }) };
    await restoreEntry(at, { entry, entity, id: row_id, actor, logged }, changed);
    return { ok: true, movedTo: isMoved ? `${folder}/${slug}` : null } as const;
  });
  return result.ok ? { movedTo: result.movedTo } : { reason: result.reason };
}
