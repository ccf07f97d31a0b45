-- A deal that already meets the target fires at once (P25), but not again for an alert that stays.
create or replace function price_alerts_fire_met(armed bigint[]) returns void language plpgsql as $$
declare ids bigint[]; prices integer[];
begin
  if armed is null then return; end if;
  select array_agg(a.id), array_agg(d.sale_price) into ids, prices
    from price_alerts a join deals d on d.id = a.deal_id join merchants m on m.id = d.merchant_id
   where a.id = any(armed) and a.is_active and a.fired_at is null and a.kind = 'target' and d.sale_price <= a.target_price
     and m.allow_alerts and d.is_active and d.availability <> 'out_of_stock'
     and not d.is_expired and (d.expires_at is null or d.expires_at > now());
  perform fire_price_alerts(ids, prices, prices);
end $$;
