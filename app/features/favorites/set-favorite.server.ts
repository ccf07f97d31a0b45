import { sql } from 'kysely';
import { countRows } from '#app/platform/read-table-page.server.ts';
import type { Db } from '#database/connect.ts';
import { favoriteMessages } from './favorite-messages.ts';

export const mostFavoritesPerUser = 1_000;

export type FavoriteOutcome =
  | { ok: true; isFavorite: boolean }
  | { ok: false; status: 404 | 409; message: string };

/**
 * Sets the requested state instead of toggling, so that two quick clicks end in the state that the
 * user saw.
 */
export async function setFavorite(
  db: Db,
  userId: string,
  dealId: number,
  isWanted: boolean,
): Promise<FavoriteOutcome> {
  if (!isWanted) {
    await db
      .deleteFrom('user_favorites')
      .where('user_id', '=', userId)
      .where('deal_id', '=', dealId)
      .execute();
    return { ok: true, isFavorite: false };
  }
  return db.transaction().execute(async (tx) => {
    // The lock serializes requests per user, so that the count below holds.
    await sql`select from users where id = ${userId} for no key update`.execute(tx);
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
