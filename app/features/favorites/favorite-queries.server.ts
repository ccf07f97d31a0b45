import { sql } from 'kysely';
import { pickFields } from '#app/platform/pick-fields.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import {
  asDealSummary,
  dealSummaryColumns,
  dealSummaryJoins,
  type DealSummaryRow,
} from '#app/features/deals/deal-summary-columns.server.ts';

export const favoritesPerPage = 24;

interface Favorite {
  favorite_id: number;
  favorited_at: Date;
  kept_price: number | null;
}

/** `change` sorts by the change since the deal was saved, the largest drop first. */
export type FavoriteSort = 'newest' | 'change';

/** Returns the user's favorites, or those in one of their lists, without unpublished deals. */
export async function listFavorites(
  db: Db,
  userId: string,
  { page, sort, listId }: { page: number; sort: FavoriteSort; listId?: number | undefined },
) {
  const found = sql`user_favorites f join deals d on d.id = f.deal_id`;
  const inList = sql`and exists (select from favorite_list_items i where i.list_id = ${listId} and i.user_id = f.user_id and i.deal_id = f.deal_id)`;
  const own = sql`f.user_id = ${userId} and d.is_active ${listId === undefined ? sql`` : inList}`;
  const count = await ask(db).value<number>`select count(*) from ${found} where ${own}`;
  const total = count ?? 0;
  // A user has at most a thousand favorites, so sorting them is cheap.
  const fell = sql`case when not d.is_expired and d.availability <> 'out_of_stock' and f.currency = d.currency then d.sale_price - f.kept_price end`;
  const order = sort === 'change' ? sql`${fell} nulls last,` : sql``;
  const rows = await ask(db).rows<DealSummaryRow & Favorite>`
    select ${dealSummaryColumns}, f.id as favorite_id, f.created_at as favorited_at,
           case when f.currency = d.currency then f.kept_price end as kept_price
      from ${found} ${dealSummaryJoins} where ${own}
     order by ${order} f.created_at desc, f.id desc
     limit ${favoritesPerPage} offset ${(page - 1) * favoritesPerPage}`;
  return {
    total,
    pageCount: Math.max(1, Math.ceil(total / favoritesPerPage)),
    favorites: rows.map((row) => ({
      ...asDealSummary(row),
      ...pickFields(row, ['favorite_id', 'favorited_at', 'kept_price']),
    })),
  };
}

export async function isReminded(db: Db, userId: string): Promise<boolean> {
  const isWanted = ask(db)
    .value<boolean>`select remind_before_expiry from users where id = ${userId}`;
  return (await isWanted) ?? false;
}

export async function setReminder(db: Db, userId: string, isWanted: boolean): Promise<void> {
  await sql`update users set remind_before_expiry = ${isWanted} where id = ${userId}`.execute(db);
}
