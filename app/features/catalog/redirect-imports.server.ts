import type { Selectable } from 'kysely';
import { writeAudit } from '#app/platform/audit/audit.server.ts';
import { ask } from '#database/ask.ts';
import type { Db, Tx } from '#database/connect.ts';
import type { Database } from '#database/schema.ts';
import type { RedirectInput } from './redirect-input.ts';

/** An import in lists. `by` is null if the command imported it. */
export type RedirectImport = Pick<
  Selectable<Database['redirect_imports']>,
  'id' | 'file_name' | 'added' | 'changed' | 'created_at' | 'undone_at'
> & { by: string | null };

interface Upload {
  fileName: string;
  actor: string;
}

/**
 * Adds redirects, and changes those with the same old URL. Returns null if it changes nothing, as
 * when a file is imported twice; then no import is recorded.
 */
export function importRedirects(
  db: Db,
  { fileName, actor }: Upload,
  redirects: readonly RedirectInput[],
): Promise<{ id: number; added: number; changed: number } | null> {
  const given = JSON.stringify(redirects);
  return db.transaction().execute(async (tx) => {
    await lockRedirects(tx);
    const counts = await ask(tx).row<{ added: number; changed: number }>`
      select count(*) filter (where r.id is null)::integer as added,
             count(*) filter (where r.id is not null and (r.target, r.status) is distinct from (g.target, g.status))::integer as changed
        from jsonb_to_recordset(${given}::jsonb) as g (from_path text, target text, status smallint)
        left join address_redirects r using (from_path)`;
    const { added, changed } = counts ?? { added: 0, changed: 0 };
    if (added + changed === 0) return null;
    const { id } = await tx
      .insertInto('redirect_imports')
      .values({ file_name: fileName, added, changed, created_by: actor })
      .returning('id')
      .executeTakeFirstOrThrow();
    await ask(tx).rows`
      with before as (select id, target, status from address_redirects),
      written as (
        insert into address_redirects as r (from_path, target, status, created_by)
        select from_path, target, status, ${actor}
          from jsonb_to_recordset(${given}::jsonb) as g (from_path text, target text, status smallint)
        on conflict (from_path) do update
          set target = excluded.target, status = excluded.status, version = r.version + 1, updated_at = now()
          where (r.target, r.status) is distinct from (excluded.target, excluded.status)
        returning id, from_path, target, status
      )
      insert into redirect_changes (import_id, redirect_id, from_path, target, status, old_target, old_status)
      select ${id}, w.id, w.from_path, w.target, w.status, b.target, b.status
        from written w left join before b on b.id = w.id`;
    const entry = { actor, action: 'redirect.import', entity: 'redirect' };
    await writeAudit(tx, { ...entry, after: { added, changed } });
    return { id, added, changed };
  });
}

/** Returns the latest imports, which are deleted after 30 days. */
export function listRedirectImports(db: Db, limit: number): Promise<RedirectImport[]> {
  return ask(db).rows<RedirectImport>`
    select i.id, i.file_name, i.added, i.changed, i.created_at, i.undone_at, u.full_name as by
      from redirect_imports i left join users u on u.id = i.created_by
     order by i.id desc limit ${limit}`;
}

export type UndoneRedirects =
  | { ok: true; removed: number; restored: number; kept: number }
  | { ok: false; reason: string };

/**
 * Undoes an import: deletes the redirects that it added and restores those that it changed.
 * Redirects that were edited since are kept. A redirect that a later import changed keeps its
 * target until that import is undone too.
 */
export function undoRedirectImport(db: Db, id: number, actor: string): Promise<UndoneRedirects> {
  return db.transaction().execute(async (tx) => {
    await lockRedirects(tx);
    const isUndone = await ask(tx).value<boolean>`
      select undone_at is not null from redirect_imports where id = ${id}`;
    if (isUndone === null)
      return { ok: false, reason: 'An import can be undone for 30 days.' } as const;
    if (isUndone) return { ok: false, reason: 'This import was already undone.' } as const;
    const counts = await undoChanges(tx, id);
    await tx
      .updateTable('redirect_imports')
      .set({ undone_at: new Date(), undone_by: actor })
      .where('id', '=', id)
      .execute();
    const entry = { actor, action: 'redirect.undo-import', entity: 'redirect' };
    await writeAudit(tx, { ...entry, after: counts });
    return { ok: true, ...counts } as const;
  });
}

async function undoChanges(tx: Tx, id: number) {
  await ask(tx).rows`
    with own as (
      select c.*, (select min(later.import_id) from redirect_changes later
                    where later.redirect_id = c.redirect_id and later.import_id > ${id}) as next_import
        from redirect_changes c where c.import_id = ${id}
    )
    update redirect_changes c set old_target = own.old_target, old_status = own.old_status from own
     where c.redirect_id = own.redirect_id and c.import_id = own.next_import
       and (c.from_path, c.old_target, c.old_status) is not distinct from (own.from_path, own.target, own.status)`;
  const counts = await ask(tx).row<{ removed: number; restored: number; kept: number }>`
    with own as (
      select c.redirect_id, c.old_target, c.old_status,
             (r.from_path, r.target, r.status) is not distinct from (c.from_path, c.target, c.status)
               and not exists (select from redirect_changes later
                                where later.redirect_id = c.redirect_id and later.import_id > ${id}) as is_unchanged
        from redirect_changes c join address_redirects r on r.id = c.redirect_id where c.import_id = ${id}
    ), removed as (
      delete from address_redirects r using own
       where r.id = own.redirect_id and own.is_unchanged and own.old_status is null returning r.id
    ), restored as (
      update address_redirects r
         set target = own.old_target, status = own.old_status, version = r.version + 1, updated_at = now()
        from own where r.id = own.redirect_id and own.is_unchanged and own.old_status is not null returning r.id
    )
    select (select count(*) from removed)::integer as removed,
           (select count(*) from restored)::integer as restored,
           (select count(*) from own where not is_unchanged)::integer as kept`;
  await tx.deleteFrom('redirect_changes').where('import_id', '=', id).execute();
  return counts ?? { removed: 0, restored: 0, kept: 0 };
}

/**
 * Blocks other imports, undos and edits until the transaction ends. Waits for edits that have
 * locked a row; with a weaker lock, this could deadlock.
 */
async function lockRedirects(tx: Tx): Promise<void> {
  await ask(tx).rows`lock table address_redirects in exclusive mode`;
}
