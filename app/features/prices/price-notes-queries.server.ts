import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import type { Availability } from '#database/schema/catalog-tables.ts';
import type { ShownForecast } from './describe-forecast.ts';

export interface PriceNotes {
  /**
   * The times when the price was raised before its current reduction, and when the reduction began.
   * `null` if there was no raise, or if staff excluded the reduction.
   */
  raise: { raised_at: Date; began_at: Date } | null;
  /**
   * `null` if too little is known, if the forecast was made for another price, or while forecasts
   * are hidden.
   */
  forecast: ShownForecast | null;
}

/** A deal on a page or in a response, with the price that was just read. */
export interface NotedDeal {
  id: number;
  sale_price: number;
  original_price: number | null;
  availability: Availability;
  is_expired: boolean;
  merchant: { keep_history: boolean };
}

/**
 * Returns the jobs' results for a deal's price with one query. The result is empty if the merchant
 * forbids history.
 */
export async function findPriceNotes(db: Db, deal: NotedDeal): Promise<PriceNotes> {
  const { id, sale_price, original_price, is_expired, availability } = deal;
  if (!deal.merchant.keep_history) return { raise: null, forecast: null };
  const isOffered = !is_expired && availability !== 'out_of_stock';
  const row = await ask(db).row<{ raise: [Date, Date] | null; forecast: ShownForecast | null }>`
    select (select array[raised_at, began_at]
              from (select * from valid_reductions where deal_id = ${id} order by began_at desc limit 1) latest
             where raised_before and left_out is null and verdict <> 'unknown'
               and sale_price >= ${sale_price} and struck_price = ${original_price}) as raise,
           (select json_build_object('share', share, 'low', low, 'high', high, 'logged_days', logged_days, 'near_days', near_days)
              from deal_forecasts
             where deal_id = ${id} and price = ${sale_price} and made_on > (now() at time zone 'utc')::date - 3 and ${isOffered}
               and not exists (select from forecast_pass where is_hidden)) as forecast`;
  const [raised_at, began_at] = row?.raise ?? [];
  return {
    raise: raised_at && began_at ? { raised_at, began_at } : null,
    forecast: row?.forecast ?? null,
  };
}
