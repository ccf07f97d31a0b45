import { sql } from 'kysely';
import { countRows } from '#app/platform/read-table-page.server.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { favoriteMessages } from './favorite-messages.ts';

export const mostFavoritesPerUser = 1_000;

export type FavoriteOutcome =
  | {
      ok: true;
      isFavorite: boolean;
      /** The number of lists from which the deal was removed with the favorite, if any. */
      lists?: number;
    }
  | { ok: false; status: 404 | 409; message: string };

/**
 * Serializes the requests of one user, so that counts stay valid until the end of the transaction.
 */
export async function lockUser(tx: Db, userId: string): Promise<void> {
  await sql`select from users where id = ${userId} for no key update`.execute(tx);
}

/**
 * Sets the requested state instead of toggling, so that two quick clicks end in the state that the
 * user saw. Setting a favorite within an hour of its removal restores it with its lists.
 */
export async function setFavorite(
  db: Db,
  userId: string,
  dealId: number,
  isWanted: boolean,
): Promise<FavoriteOutcome> {
  return db.transaction().execute(async (tx) => {
    await lockUser(tx, userId);
    if (!isWanted) {
      const lists = await removeFavorite(tx, userId, dealId);
      return { ok: true, isFavorite: false, ...(lists > 0 && { lists }) };
    }
    const deal = await tx
      .selectFrom('deals')
      .innerJoin('merchants', 'merchants.id', 'deals.merchant_id')
      .select(['sale_price', 'availability', 'keep_history'])
      .where('deals.id', '=', dealId)
      .where('is_active', '=', true)
      .executeTakeFirst();
    if (!deal) return { ok: false, status: 404, message: favoriteMessages.dealGone };
    const own = tx.selectFrom('user_favorites').where('user_id', '=', userId);
    if ((await countRows(own.where('deal_id', '<>', dealId))) >= mostFavoritesPerUser) {
      return { ok: false, status: 409, message: favoriteMessages.tooMany };
    }
    await restoreFavorite(tx, userId, dealId);
    const isPriceKept = deal.keep_history && deal.availability !== 'out_of_stock';
    await tx
      .insertInto('user_favorites')
      .values({
        user_id: userId,
        deal_id: dealId,
        kept_price: isPriceKept ? deal.sale_price : null,
      })
      .onConflict((conflict) => conflict.columns(['user_id', 'deal_id']).doNothing())
      .execute();
    return { ok: true, isFavorite: true };
  });
}

/**
 * Removes a favorite from all its lists. Returns the number of those lists that are not deleted.
 */
async function removeFavorite(tx: Db, userId: string, dealId: number): Promise<number> {
  const own = sql`user_id = ${userId} and deal_id = ${dealId}`;
  const lists = await ask(tx).value<number>`
    select count(*) from favorite_list_items i join favorite_lists l on l.id = i.list_id and l.deleted_at is null
     where i.user_id = ${userId} and i.deal_id = ${dealId}`;
  await sql`
    insert into removed_favorites (user_id, deal_id, favorite, items)
      select user_id, deal_id, to_jsonb(f),
             (select coalesce(jsonb_agg(to_jsonb(i)), '[]') from favorite_list_items i where ${own})
        from user_favorites f where ${own}
    on conflict (user_id, deal_id) do update
      set favorite = excluded.favorite, items = excluded.items, removed_at = now()`.execute(tx);
  await sql`delete from user_favorites where ${own}`.execute(tx);
  return lists ?? 0;
}

/**
 * Restores a favorite that was removed within the hour, and adds it to its lists that still exist.
 */
async function restoreFavorite(tx: Db, userId: string, dealId: number): Promise<void> {
  const removed = await ask(tx).row<{ favorite: object; items: object[]; isRecent: boolean }>`
    delete from removed_favorites where user_id = ${userId} and deal_id = ${dealId}
    returning favorite, items, removed_at > now() - interval '1 hour' as "isRecent"`;
  if (!removed?.isRecent) return;
  const [favorite, items] = [[removed.favorite], removed.items].map((rows) => JSON.stringify(rows));
  await sql`select restore_rows('user_favorites', ${favorite}::jsonb)`.execute(tx);
  await sql`select restore_rows('favorite_list_items', ${items}::jsonb)`.execute(tx);
}
