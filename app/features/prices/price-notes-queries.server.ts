import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import type { ShownForecast } from './describe-forecast.ts';

export interface PriceNotes {
  /**
   * When the price was raised before the reduction that the deal stands at, and when that began; null where the log shows
   * no such thing, or staff left it out.
   */
  raise: { raised_at: Date; began_at: Date } | null;
  /** Null where too little is known, where it was made for another price, or while forecasts are hidden. */
  forecast: ShownForecast | null;
}

/** What jobs found out about a deal's price, in one query. */
export async function findPriceNotes(db: Db, dealId: number): Promise<PriceNotes> {
  const row = await ask(db).row<
    Pick<PriceNotes, 'forecast'> & { raised_at: Date | null; began_at: Date | null }
  >`
    select c.raised_at, c.began_at, f.forecast
      from deals d join merchants m on m.id = d.merchant_id and m.keep_history
      left join lateral (
        select * from reduction_checks r where r.deal_id = d.id order by began_at desc limit 1) c
        on c.raised_before and c.left_out is null and c.verdict <> 'unknown'
       and c.sale_price >= d.sale_price and c.struck_price = d.original_price
      left join lateral (
        select json_build_object('share', share, 'low', low, 'high', high, 'logged_days', logged_days, 'near_days', near_days)
                 as forecast
          from deal_forecasts
         where deal_id = d.id and price = d.sale_price and made_on > (now() at time zone 'utc')::date - 3
           and not d.is_expired and d.availability <> 'out_of_stock'
           and not exists (select from forecast_pass where is_hidden)) f on true
     where d.id = ${dealId}`;
  const { raised_at, began_at } = row ?? {};
  return {
    raise: raised_at && began_at ? { raised_at, began_at } : null,
    forecast: row?.forecast ?? null,
  };
}
