import { hashToken } from '#app/features/accounts/hash-token.server.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';

/** A list of the signed-in user, with the number of its visible deals. */
export interface FavoriteList {
  id: number;
  name: string;
  deals: number;
  isShared: boolean;
}

/** Returns a user's lists, sorted by name. */
export async function listFavoriteLists(db: Db, userId: string): Promise<FavoriteList[]> {
  const lists = await ask(db).rows<FavoriteList>`
    select l.id, l.name, l.link_hash is not null as "isShared",
           (select count(*) from favorite_list_items i join deals d on d.id = i.deal_id and d.is_active
             where i.list_id = l.id) as deals
      from favorite_lists l where l.user_id = ${userId} and l.deleted_at is null order by l.id`;
  const { compare } = new Intl.Collator('en', { numeric: true });
  return lists.toSorted((one, other) => compare(one.name, other.name));
}

/** A favorite whose lists the user is choosing, with the lists that contain it. */
export interface PlacedFavorite {
  id: number;
  title: string;
  listIds: number[];
}

export function findPlacedFavorite(
  db: Db,
  userId: string,
  dealId: number,
): Promise<PlacedFavorite | null> {
  return ask(db).row<PlacedFavorite>`
    select d.id, d.title,
           (select coalesce(json_agg(i.list_id), '[]') from favorite_list_items i
             where i.user_id = f.user_id and i.deal_id = d.id) as "listIds"
      from user_favorites f join deals d on d.id = f.deal_id and d.is_active
     where f.user_id = ${userId} and f.deal_id = ${dealId}`;
}

/** Returns whether the user removed a deal from the favorites within the hour. */
export async function isRestorable(db: Db, userId: string, dealId: number): Promise<boolean> {
  const found = await ask(db).value`
    select deal_id from removed_favorites
     where user_id = ${userId} and deal_id = ${dealId} and removed_at > now() - interval '1 hour'`;
  return found !== null;
}

/** Returns a deleted list that can still be restored. */
export function findDeletedList(db: Db, userId: string, id: number) {
  return ask(db).row<{ id: number; name: string }>`
    select id, name from favorite_lists
     where id = ${id} and user_id = ${userId} and deleted_at > now() - interval '1 hour'`;
}

/** A list as anyone with its link may see it. The owner's id stays on the server. */
interface SharedList {
  id: number;
  user_id: string;
  name: string;
}

/** Returns the list of a secret link. The link of a suspended account is treated as missing. */
export function findSharedList(db: Db, token: string): Promise<SharedList | null> {
  return ask(db).row<SharedList>`
    select l.id, l.user_id, l.name from favorite_lists l join users u on u.id = l.user_id
     where l.link_hash = ${hashToken(token)} and l.deleted_at is null and u.suspended_at is null`;
}
