-- Evaluates alerts against changes of their deals, and fires those whose condition is met. `checks`
-- and `ids` are parallel arrays of changes and alerts.
create or replace function judge_alerts(checks bigint[], ids bigint[]) returns void language plpgsql set enable_seqscan = off as $$
declare met_checks bigint[]; met_ids bigint[];
begin
  -- A price above the emailed one ends that drop, even if the deal is unavailable or the alert
  -- inactive. The previous price is compared too, because older versions did not record rises.
  update price_alerts a set last_mailed_price = null
    from unnest(checks, ids) k (check_id, id) join alert_checks c on c.id = k.check_id and c.new_price <> c.old_price
   where a.id = k.id and a.currency = c.currency and a.last_mailed_price < greatest(c.new_price, c.old_price) and coalesce(a.seen_check < c.id, true);
  -- An alert measures drops from the first price in its currency.
  update price_alerts a set base_price = c.new_price
    from unnest(checks, ids) k (check_id, id) join alert_checks c on c.id = k.check_id and c.old_price is null
   where a.id = k.id and a.currency = c.currency and a.is_active and a.base_price is null;
  select array_agg(check_id), array_agg(id) into met_checks, met_ids
    from (
      select c.id as check_id, a.id
        from unnest(checks, ids) k (check_id, id)
        join alert_checks c on c.id = k.check_id and c.is_judged
        join price_alerts a on a.id = k.id and a.is_active and a.currency = c.currency -- Alerts in another currency are paused.
       where (a.kind = 'target' or not c.is_undo)
         and case a.kind
           when 'target' then c.new_price <= a.target_price
           when 'any_drop' then c.new_price < greatest(a.base_price, c.old_price)
           when 'percent_drop' then c.new_price <= a.base_price::bigint * (100 - a.target_percent) / 100.0
           when 'new_low_30' then c.new_price < coalesce(c.low_30, lowest_price_within(c.deal_id, 30, c.at))
           when 'new_low_90' then c.new_price < coalesce(c.low_90, lowest_price_within(c.deal_id, 90, c.at))
           when 'back_in_stock' then c.is_back_in_stock
         end
         -- A repeating alert fires again at the first drop after a price above the last emailed
         -- one.
         and (a.fired_at is null or a.kind = 'back_in_stock' or a.last_mailed_price is null and c.new_price < c.old_price)
         and coalesce(a.seen_check < c.id, true)
         and not exists (select from price_voids v where v.line_id = c.price_log_id)
       -- Locks the alerts, so that an alert is evaluated after any change its owner is making.
       order by a.id for no key update of a
    ) met;
  perform fire_price_alerts(met_checks, met_ids);
end $$;
