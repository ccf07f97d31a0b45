import { sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { writeAudit } from '#app/platform/audit/audit.server.ts';

/** A named URL of a list, private or shared with all staff. */
export interface SavedView {
  id: number;
  name: string;
  /** The query string of the saved URL. */
  search: string;
  isShared: boolean;
  isOwn: boolean;
  /** The user who shares the view. */
  owner: string;
}

export const longestViewName = 40;
const mostViews = 50;

/** Returns a user's views of a list, their own first. */
export async function listViews(db: Db, userId: string, list: string): Promise<SavedView[]> {
  return ask(db).rows<SavedView>`
    select v.id, v.name, v.search, v.is_shared as "isShared", v.user_id = ${userId} as "isOwn",
           coalesce(nullif(u.full_name, ''), u.email) as owner
      from saved_views v join users u on u.id = v.user_id
     where v.list = ${list} and (v.user_id = ${userId} or v.is_shared)
     order by v.user_id <> ${userId}, lower(v.name), v.id`;
}

export interface ViewWords {
  name: string;
  isShared: boolean;
}

/**
 * Saves a URL under a name, overwriting the user's own view of that name. Returns `false` if there
 * are too many views.
 */
export async function saveView(
  db: Db,
  userId: string,
  { list, search, name, isShared }: ViewWords & { list: string; search: string },
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    // The lock serializes a user's saves, so that the limit cannot be exceeded.
    await sql`select from users where id = ${userId} for update`.execute(tx);
    const saved = await ask(tx).row<{ id: number }>`
      insert into saved_views (user_id, list, name, search, is_shared)
      select ${userId}, ${list}, ${name}, ${search}, ${isShared}
       where (select count(*) from saved_views where user_id = ${userId} and lower(name) <> lower(${name})) < ${mostViews}::integer
      on conflict (user_id, list, lower(name))
        do update set name = excluded.name, search = excluded.search, is_shared = excluded.is_shared
      returning id`;
    if (!saved) return false;
    const after = { name, is_shared: isShared };
    const act = { actor: userId, action: 'saved-view.save', entity: 'saved-view' };
    await writeAudit(tx, { ...act, entityId: saved.id, after });
    return true;
  });
}

export type ViewChange = 'done' | 'gone' | 'taken';

/** Renames or shares the user's own view. */
export async function changeView(
  db: Db,
  userId: string,
  id: number,
  { name, isShared }: ViewWords,
): Promise<ViewChange> {
  return db.transaction().execute(async (tx) => {
    const before = await ask(tx).row<{ name: string; is_shared: boolean; isTaken: boolean }>`
      select v.name, v.is_shared,
             exists (select from saved_views o where o.user_id = v.user_id and o.list = v.list
                        and lower(o.name) = lower(${name}) and o.id <> v.id) as "isTaken"
        from saved_views v where v.id = ${id} and v.user_id = ${userId} for update`;
    if (!before) return 'gone';
    const { isTaken, ...was } = before;
    if (isTaken) return 'taken';
    await sql`update saved_views set name = ${name}, is_shared = ${isShared} where id = ${id}`.execute(
      tx,
    );
    const after = { name, is_shared: isShared };
    const act = { actor: userId, action: 'saved-view.change', entity: 'saved-view' };
    await writeAudit(tx, { ...act, entityId: id, before: was, after });
    return 'done';
  });
}

/** Deletes the user's own view. */
export async function deleteView(db: Db, userId: string, id: number): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const before = await ask(tx).row<{ name: string; is_shared: boolean }>`
      delete from saved_views where id = ${id} and user_id = ${userId} returning name, is_shared`;
    if (!before) return false;
    const act = { actor: userId, action: 'saved-view.delete', entity: 'saved-view' };
    await writeAudit(tx, { ...act, entityId: id, before });
    return true;
  });
}

/** Returns the columns that a user chose for a list, or `null` for the defaults. */
export async function readColumns(db: Db, userId: string, list: string): Promise<string[] | null> {
  return ask(db).value<string[]>`
    select columns from list_columns where user_id = ${userId} and list = ${list}`;
}

/** Stores the chosen columns. This is not audited, since it changes only what one user sees. */
export async function keepColumns(
  db: Db,
  userId: string,
  list: string,
  columns: readonly string[] | null,
): Promise<void> {
  if (columns === null) {
    await sql`delete from list_columns where user_id = ${userId} and list = ${list}`.execute(db);
    return;
  }
  await sql`
    insert into list_columns (user_id, list, columns) values (${userId}, ${list}, ${columns}::text[])
    on conflict (user_id, list) do update set columns = excluded.columns`.execute(db);
}
