-- Adds a product's low to the next email of each of these watches whose condition it meets. A price
-- is not reported again within 30 days, unless its line was voided. An owner with watches of merged
-- products gets one email.
create or replace function tell_of_low(low_id bigint, ids bigint[]) returns void language plpgsql set enable_seqscan = off as $$
declare low constant product_lows := (select l from product_lows l where l.id = low_id);
begin
  perform from watched_searches s where s.id = any(ids) order by s.id for no key update;
  with met as materialized (
    select s.id, s.user_id, s.watcher_id, row_number() over (partition by s.user_id, s.watcher_id order by s.id) as place
      from watched_searches s
     where s.id = any(ids) and s.is_active and s.product_id in (select merged_products(low.product_id))
       and s.offer_class = low.offer_class and s.with_shipping = low.with_shipping and coalesce(s.max_price, low.total) >= low.total
       and s.told_low is distinct from low.id and not exists (
         select from product_lows t
          where t.id = s.told_low and t.offer_class = low.offer_class and t.with_shipping = low.with_shipping
            and t.total <= low.total and t.at > now() - interval '30 days'
            and not exists (select from price_voids v where v.line_id = t.line_id))
  ), told as (
    select m.id, m.place > 1 or exists (
             select from watched_searches o
              where o.user_id = m.user_id and o.told_low = low.id and o.id <> m.id
             union all
             select from watched_searches o
              where o.watcher_id = m.watcher_id and o.told_low = low.id and o.id <> m.id) as by_another
      from met m
  )
  update watched_searches s set
    told_low = low.id,
    waiting = case when t.by_another then s.waiting else 1 end,
    waiting_deals = case when t.by_another then s.waiting_deals else array[low.deal_id] end
    from told t
   where s.id = t.id;
end $$;
