import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { refuseKnown } from '#database/refuse-known.ts';
import { readListName } from './favorite-list-input.ts';
import { favoriteListMessages } from './favorite-list-messages.ts';
import { findDeletedList } from './favorite-list-queries.server.ts';
import { lockUser } from './set-favorite.server.ts';

export const mostListsPerUser = 50;

export type ListRefusal = { ok: false; status: 403 | 404 | 409 | 422; message: string };
export type ListOutcome = { ok: true; id: number } | ListRefusal;

export const refuseList = (status: ListRefusal['status'], message: string): ListRefusal => ({
  ok: false,
  status,
  message,
});

const gone = refuseList(404, favoriteListMessages.gone);

export async function createList(db: Db, userId: string, typed: string): Promise<ListOutcome> {
  const read = readListName(typed);
  if (!read.ok) return read;
  return refuseTaken(db, favoriteListMessages.nameTaken, async (tx) => {
    await lockUser(tx, userId);
    if (await isFull(tx, userId)) return refuseList(409, favoriteListMessages.tooMany);
    const { id } = await tx
      .insertInto('favorite_lists')
      .values({ user_id: userId, name: read.name })
      .returning('id')
      .executeTakeFirstOrThrow();
    return { ok: true, id };
  });
}

export async function renameList(
  db: Db,
  userId: string,
  id: number,
  typed: string,
): Promise<ListOutcome> {
  const read = readListName(typed);
  if (!read.ok) return read;
  return refuseTaken(db, favoriteListMessages.nameTaken, async (tx) => {
    const renamed = await ownList(tx, userId, id)
      .set({ name: read.name })
      .returning('id')
      .executeTakeFirst();
    return renamed ? { ok: true, id } : gone;
  });
}

/** Deletes a list. For an hour it can be restored with its deals and its link. */
export async function deleteList(db: Db, userId: string, id: number): Promise<ListOutcome> {
  const deleted = await ownList(db, userId, id)
    .set({ deleted_at: new Date() })
    .returning('id')
    .executeTakeFirst();
  return deleted ? { ok: true, id } : gone;
}

/** Restores a list that was deleted within the hour. */
export async function restoreList(db: Db, userId: string, id: number): Promise<ListOutcome> {
  return refuseTaken(db, favoriteListMessages.restoreNameTaken, async (tx) => {
    await lockUser(tx, userId);
    if ((await findDeletedList(tx, userId, id)) === null) {
      const isThere = await findOwnList(tx, userId, id);
      return isThere ? { ok: true, id } : gone;
    }
    if (await isFull(tx, userId)) return refuseList(409, favoriteListMessages.tooMany);
    await tx.updateTable('favorite_lists').set({ deleted_at: null }).where('id', '=', id).execute();
    return { ok: true, id };
  });
}

interface Placing {
  dealId: number;
  /** The lists that the form showed. Others are left unchanged. */
  shown: readonly number[];
  /** The lists that should contain the deal. */
  chosen: readonly number[];
  /** The name of a new list for the deal, or an empty string. */
  newName: string;
}

/** Adds a favorite to the chosen lists, and removes it from the others that the form showed. */
export function placeFavorite(db: Db, userId: string, placing: Placing): Promise<ListOutcome> {
  const { dealId, shown, chosen, newName } = placing;
  return db.transaction().execute(async (tx) => {
    await lockUser(tx, userId);
    if (!(await isFavorite(tx, userId, dealId))) {
      return refuseList(404, favoriteListMessages.dealGone);
    }
    const named = [...new Set([...shown, ...chosen])];
    const known = await ask(tx).column<number>`
      select id from favorite_lists
       where user_id = ${userId} and deleted_at is null and id = any(${named}::bigint[])`;
    if (known.length < named.length) return gone;
    const created = newName.trim() === '' ? null : await createList(tx, userId, newName);
    if (created && !created.ok) return created;
    const into = created ? [...chosen, created.id] : chosen;
    await ask(tx).rows`
      delete from favorite_list_items
       where user_id = ${userId} and deal_id = ${dealId}
         and list_id = any(${named}::bigint[]) and list_id <> all(${chosen})`;
    await ask(tx).rows`
      insert into favorite_list_items (list_id, user_id, deal_id)
        select id, ${userId}, ${dealId} from unnest(${into}::bigint[]) id
      on conflict do nothing`;
    return { ok: true, id: created?.id ?? 0 };
  });
}

/** Adds a favorite to one list or removes it there. The favorite itself is unchanged. */
export function setInList(
  db: Db,
  userId: string,
  { listId, dealId, isWanted }: { listId: number; dealId: number; isWanted: boolean },
): Promise<ListOutcome> {
  const placing = { dealId, shown: [listId], chosen: isWanted ? [listId] : [], newName: '' };
  return placeFavorite(db, userId, placing);
}

function ownList(db: Db, userId: string, id: number) {
  return db
    .updateTable('favorite_lists')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('deleted_at', 'is', null);
}

/** Locks a list, unless its user has deleted it. */
export function findOwnList(tx: Db, userId: string, id: number) {
  return tx
    .selectFrom('favorite_lists')
    .select(['id', 'sealed_link'])
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
}

async function isFavorite(tx: Db, userId: string, dealId: number): Promise<boolean> {
  const found = await ask(tx).value`
    select id from user_favorites where user_id = ${userId} and deal_id = ${dealId}`;
  return found !== null;
}

async function isFull(tx: Db, userId: string): Promise<boolean> {
  const count = await ask(tx).value<number>`
    select count(*) from favorite_lists where user_id = ${userId} and deleted_at is null`;
  return (count ?? 0) >= mostListsPerUser;
}

async function refuseTaken(
  db: Db,
  message: string,
  write: (tx: Db) => Promise<ListOutcome>,
): Promise<ListOutcome> {
  const outcome = await refuseKnown(db, { favorite_lists_name: 'taken' as const }, write);
  return 'reason' in outcome ? refuseList(422, message) : outcome;
}
