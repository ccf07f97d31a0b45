import { sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';

const couponsALot = 200;
/** coupons; an email names the newest ones */
const mostWaiting = 20;

const isUnannounced = sql`told_at is null and coalesce(starts_at <= now(), true)`;

export const areCouponsUnannounced = () => sql`
  exists (select from coupons where ${isUnannounced})`;

/**
 * Assigns new coupons to the searches that watch their store: its whole list, or its deals with a
 * coupon. A coupon that starts later waits for its start. Returns the number of coupons.
 */
export async function collectCouponsOnce(db: Db): Promise<number> {
  const collected = await ask(db).value<number>`
    with fresh as (
      update coupons set told_at = now()
       where id in (select id from coupons where ${isUnannounced} order by id limit ${couponsALot} for update skip locked)
      returning id, merchant_id, ends_at
    ), found as (
      select merchant_id, array_agg(id order by id desc) as ids from fresh
       where coalesce(ends_at > now(), true) group by merchant_id
    ), assigned as (
      update watched_searches s set waiting_coupons = (f.ids || s.waiting_coupons)[:${sql.lit(mostWaiting)}]
        from found f
       where s.merchant_id = f.merchant_id and s.is_active and s.address ~ '^/merchants/[a-z0-9-]+([?]type=coupon)?$'
    )
    select count(*)::integer from fresh`;
  return collected ?? 0;
}
