import {
  type FavoriteList,
  findDeletedList,
  findPlacedFavorite,
  isRestorable,
  listFavoriteLists,
  type PlacedFavorite,
} from '#app/features/favorites/favorite-list-queries.server.ts';
import { favoriteListMessages } from '#app/features/favorites/favorite-list-messages.ts';
import { readSharePath } from '#app/features/favorites/share-favorite-list.server.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import type { Db } from '#database/connect.ts';
import type { FavoritesView } from './favorites-address.ts';

type ListDialog =
  | { kind: 'new' }
  | { kind: 'rename' }
  | { kind: 'share'; path: string | null; isVerified: boolean }
  | { kind: 'place'; deal: PlacedFavorite };

/** A message about the last change, with the fields of the form that undoes it. */
interface ListNotice {
  text: string;
  undo: Record<string, string | number>;
}

export interface OwnLists {
  view: FavoritesView;
  lists: FavoriteList[];
  /** The shown list, or null for all favorites and for a list that does not exist. */
  list: FavoriteList | null;
  dialog: ListDialog | null;
  notice: ListNotice | null;
}

/** Returns a user's lists, with the dialog or the notice that the URL requests. */
export async function readOwnLists(
  db: Db,
  user: { id: string; emailVerified: boolean },
  query: URLSearchParams,
  view: FavoritesView,
): Promise<OwnLists> {
  const lists = await listFavoriteLists(db, user.id);
  const list = lists.find(({ id }) => id === view.list) ?? null;
  return {
    view,
    lists,
    list,
    dialog: await readDialog(db, user, query, list),
    notice: await readNotice(db, user.id, query, list),
  };
}

async function readDialog(
  db: Db,
  user: { id: string; emailVerified: boolean },
  query: URLSearchParams,
  list: FavoriteList | null,
): Promise<ListDialog | null> {
  if (query.has('new')) return { kind: 'new' };
  if (list && query.has('rename')) return { kind: 'rename' };
  if (list && query.has('share')) {
    const path = await readSharePath(db, user.id, list.id);
    return { kind: 'share', path, isVerified: user.emailVerified };
  }
  const placed = parseRowId(query.get('place'));
  const deal = placed === null ? null : await findPlacedFavorite(db, user.id, placed);
  return deal && { kind: 'place', deal };
}

async function readNotice(
  db: Db,
  userId: string,
  query: URLSearchParams,
  list: FavoriteList | null,
): Promise<ListNotice | null> {
  const [deleted, removed, emptied] = ['deleted', 'removed', 'emptied'].map((name) =>
    parseRowId(query.get(name)),
  );
  if (deleted) {
    const gone = await findDeletedList(db, userId, deleted);
    return (
      gone && { text: `“${gone.name}” deleted.`, undo: { intent: 'restore-list', id: deleted } }
    );
  }
  if (removed && list) {
    const deal = await findPlacedFavorite(db, userId, removed);
    if (!deal || deal.listIds.includes(list.id)) return null;
    const undo = { intent: 'add-to-list', id: list.id, deal_id: removed };
    return { text: `“${deal.title}” removed from this list. It is still a favorite.`, undo };
  }
  if (!emptied || !(await isRestorable(db, userId, emptied))) return null;
  return { text: favoriteListMessages.removed(0), undo: { want: 'set', deal_id: emptied } };
}
