import { sql } from 'kysely';
import { isPriceShown } from '#app/features/deals/deal-conditions.server.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';

/** A deal that became cheaper while the user waited. Prices are in minor units. */
export interface Saving {
  deal_id: number;
  slug: string;
  title: string;
  merchant: string;
  /**
   * The source of the lower price: `alert` if an alert reported it, `favorite` if a favorite has
   * it today.
   */
  by: 'alert' | 'favorite';
  before: number;
  before_at: Date;
  after: number;
  after_at: Date;
  saved: number;
}

export interface Savings {
  /** The sum, including savings that are not listed. */
  total: number;
  deals: number;
  /** The savings, largest first, at most `mostListed`. */
  savings: Saving[];
}

export const mostListed = 100;

/**
 * Returns what a user could have saved, once per deal. An alert's lowest reported price is compared
 * with the price when the alert was set. Without an alert, a favorite's current price is compared
 * with the price when it was saved. Hidden and unavailable prices are ignored.
 */
export async function listSavings(db: Db, userId: string): Promise<Savings> {
  const rows = await ask(db).rows<Saving & { total: number; deals: number }>`
    with told as (
      select distinct on (a.deal_id) a.deal_id, 'alert' as by, a.base_price as before, a.created_at as before_at,
             e.new_price as after, e.fired_at as after_at
        from price_alerts a join price_alert_events e on e.alert_id = a.id
       where a.user_id = ${userId} and a.currency = site_currency() and e.currency = a.currency and a.base_price > e.new_price
       order by a.deal_id, e.new_price, e.id
    ), kept as (
      select f.deal_id, 'favorite' as by, f.kept_price as before, f.created_at as before_at, d.sale_price as after, d.price_since as after_at
        from user_favorites f join deals d on d.id = f.deal_id
       where f.user_id = ${userId} and f.currency = d.currency and f.kept_price > d.sale_price and d.availability <> 'out_of_stock'
         and not d.is_expired and not exists (select from told t where t.deal_id = f.deal_id)
    )
    select s.*, s.before - s.after as saved, d.slug, d.title, m.name as merchant,
           (sum(s.before - s.after) over ())::bigint as total, count(*) over () as deals
      from (select * from told union all select * from kept) s
      join deals d on d.id = s.deal_id and d.is_active
      join merchants m on m.id = d.merchant_id and m.keep_history
     where ${isPriceShown}
     order by saved desc, s.deal_id limit ${sql.lit(mostListed)}`;
  const [first] = rows;
  const savings = rows.map(({ total: _total, deals: _deals, ...saving }) => saving);
  return { total: first?.total ?? 0, deals: first?.deals ?? 0, savings };
}
