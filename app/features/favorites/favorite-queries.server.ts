import { sql } from 'kysely';
import type { Db } from '#database/connect.ts';
import {
  asDealSummary,
  type DealSummary,
  dealSummaryColumns,
  dealSummaryJoins,
  type DealSummaryRow,
} from '#app/features/deals/deal-summary-columns.server.ts';

export const favoritesPerPage = 24;

export type FavoriteDeal = DealSummary & { favorite_id: number; favorited_at: Date };

/** Ids of the deals a user keeps, for the hearts on every page. */
export async function listFavoriteIds(db: Db, userId: string): Promise<number[]> {
  const rows = await db
    .selectFrom('user_favorites')
    .select('deal_id')
    .where('user_id', '=', userId)
    .execute();
  return rows.map((row) => row.deal_id);
}

/** The user's favorites, the newest first. A deal that was taken down is not shown (P3). */
export async function listFavorites(
  db: Db,
  userId: string,
  page: number,
): Promise<{ favorites: FavoriteDeal[]; total: number; pageCount: number }> {
  const { rows: counted } = await sql<{ total: number }>`
    select count(*) as total from user_favorites f join deals d on d.id = f.deal_id
     where f.user_id = ${userId} and d.is_active`.execute(db);
  const total = counted[0]?.total ?? 0;
  const { rows } = await sql<DealSummaryRow & { favorite_id: number; favorited_at: Date }>`
    select ${dealSummaryColumns}, f.id as favorite_id, f.created_at as favorited_at
      from user_favorites f join deals d on d.id = f.deal_id ${dealSummaryJoins}
     where f.user_id = ${userId} and d.is_active
     order by f.created_at desc, f.id desc
     limit ${favoritesPerPage} offset ${(page - 1) * favoritesPerPage}`.execute(db);
  return {
    total,
    pageCount: Math.max(1, Math.ceil(total / favoritesPerPage)),
    favorites: rows.map((row) => ({
      ...asDealSummary(row),
      favorite_id: row.favorite_id,
      favorited_at: row.favorited_at,
    })),
  };
}

export async function isReminded(db: Db, userId: string): Promise<boolean> {
  const user = await db
    .selectFrom('users')
    .select('remind_before_expiry')
    .where('id', '=', userId)
    .executeTakeFirst();
  return user?.remind_before_expiry ?? false;
}

export async function setReminder(db: Db, userId: string, isWanted: boolean): Promise<void> {
  await db
    .updateTable('users')
    .set({ remind_before_expiry: isWanted })
    .where('id', '=', userId)
    .execute();
}
