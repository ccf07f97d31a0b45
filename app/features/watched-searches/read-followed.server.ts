import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import type { AlertRule } from '#app/features/price-alerts/alert-kind.ts';
import { type WatchedSearch, watchedSearchColumns } from './watched-search-queries.server.ts';

/** The data that pages show about a signed-in user: hearts, bells, watched searches and follows. */
export interface Followed {
  favoriteIds: number[];
  alertRules: (AlertRule & { deal_id: number })[];
  searches: WatchedSearch[];
  /** Keys of the followed categories, stores and brands, as `targetKey` returns them. */
  follows: string[];
}

/**
 * Returns everything that a user follows in one statement, since each page needs all of it. The
 * newest watched search is the first.
 */
export async function readFollowed(db: Db, userId: string): Promise<Followed> {
  const found = await ask(db).row<Read>`/* often */
    select (select json_agg(deal_id) from user_favorites where user_id = ${userId}) as "favoriteIds",
           (select json_agg(rule) from (
              select deal_id, kind, target_price, target_percent, repeats
                from price_alerts where user_id = ${userId} and is_active order by id) rule) as "alertRules",
           (select json_agg(search) from (
              select ${watchedSearchColumns}
                from watched_searches s where s.user_id = ${userId} order by s.created_at desc, s.id desc) search) as searches,
           (select json_agg(case when merchant_id is not null then 'merchant:' || merchant_id
                                 when category_id is not null then 'category:' || category_id else 'brand:' || brand end)
              from follows where user_id = ${userId}) as follows`;
  const searches = found?.searches ?? [];
  return {
    favoriteIds: found?.favoriteIds ?? [],
    alertRules: found?.alertRules ?? [],
    searches: searches.map((search) => ({ ...search, seen_at: new Date(search.seen_at) })),
    follows: found?.follows ?? [],
  };
}

/**
 * Each list is `null` if it is empty. The query returns JSON with numbers, since the driver
 * returns arrays of `bigint` as text.
 */
interface Read {
  favoriteIds: number[] | null;
  alertRules: Followed['alertRules'] | null;
  searches: (Omit<WatchedSearch, 'seen_at'> & { seen_at: string })[] | null;
  follows: string[] | null;
}
