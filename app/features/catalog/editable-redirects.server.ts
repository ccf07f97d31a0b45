import { type Selectable, sql } from 'kysely';
import { writeAudit } from '#app/platform/audit/audit.server.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import type { Database } from '#database/schema.ts';
import { editableRows } from './editable-rows.server.ts';
import type { RedirectInput } from './redirect-input.ts';

const columns = ['id', 'from_path', 'target', 'status', 'created_by', 'version'] as const;

/** A redirect as editors see it. */
export type EditableRedirect = Pick<
  Selectable<Database['address_redirects']>,
  (typeof columns)[number]
>;

export const editableRedirects = editableRows<
  EditableRedirect,
  RedirectInput & { created_by?: string }
>({
  table: 'address_redirects',
  entity: 'redirect',
  columns,
  unique: 'address_redirects_from_path_key',
  nameColumn: 'from_path',
});

/** The id of the import that added a row: milliseconds of its transaction. */
const importOf = sql`floor(extract(epoch from created_at) * 1000)::bigint`;

/**
 * Adds redirects, and changes those with the same old URL. Returns the id of the import, or null if
 * it added none.
 */
export function importRedirects(
  db: Db,
  actor: string,
  redirects: readonly RedirectInput[],
): Promise<number | null> {
  return db.transaction().execute(async (tx) => {
    await ask(tx).rows`
      insert into address_redirects as r (from_path, target, status, created_by)
      select from_path, target, status, ${actor}
        from jsonb_to_recordset(${JSON.stringify(redirects)}::jsonb)
             as given (from_path text, target text, status smallint)
      on conflict (from_path) do update
        set target = excluded.target, status = excluded.status, version = r.version + 1, updated_at = now()
        where (r.target, r.status) is distinct from (excluded.target, excluded.status)`;
    const after = { redirects: redirects.length };
    await writeAudit(tx, { actor, action: 'redirect.import', entity: 'redirect', after });
    return ask(tx).value<number>`
      select ${importOf} from address_redirects where created_at = now() limit 1`;
  });
}

/** Deletes the redirects that an import added and that are unchanged since. Returns their number. */
export function undoRedirectImport(db: Db, actor: string, id: number): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const { length: redirects } = await ask(tx).rows`
      delete from address_redirects
       where ${importOf} = ${id} and created_by = ${actor} and version = 1 returning id`;
    if (redirects > 0) {
      const entry = { actor, action: 'redirect.undo-import', entity: 'redirect' };
      await writeAudit(tx, { ...entry, before: { redirects } });
    }
    return redirects;
  });
}
