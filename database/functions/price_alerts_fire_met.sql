-- Fires alerts of deals that already meet the target, except repeating alerts that have already
-- fired.
create or replace function price_alerts_fire_met(armed bigint[]) returns void language plpgsql as $$
declare checks bigint[]; ids bigint[];
begin
  if armed is null then return; end if;
  with met as (
    select a.id, a.deal_id, d.currency, d.sale_price
      from price_alerts a join deals d on d.id = a.deal_id join merchants m on m.id = d.merchant_id
     where a.id = any(armed) and a.is_active and a.fired_at is null and a.kind = 'target' and a.currency = d.currency and d.sale_price <= a.target_price
       and m.allow_alerts and d.is_active and d.availability <> 'out_of_stock'
       and not d.is_expired and (d.expires_at is null or d.expires_at > now())
  ), made as (
    insert into alert_checks (deal_id, currency, old_price, new_price, mail_wait, price_log_id)
      select deal_id, currency, sale_price, sale_price, staff_wait(),
             (select l.id from valid_prices l where l.deal_id = m.deal_id order by l.at desc, l.id desc limit 1)
        from (select distinct deal_id, currency, sale_price from met) m
    returning id, deal_id
  )
  select array_agg(made.id), array_agg(met.id) into checks, ids from met join made on made.deal_id = met.deal_id;
  perform fire_price_alerts(checks, ids);
  delete from alert_checks where id = any(checks);
end $$;
