-- Fires alerts after every change of a deal's price, stock or live state. Runs after deals_after_update, which has written the price log,
-- because triggers run in the order of their names. Rolling back an import only undoes a mistake, so such a drop does not fire drop
-- alerts. Targets are evaluated as usual, because they do not depend on earlier prices. Deals with few alerts are evaluated immediately.
-- Other deals, and deals with earlier pending changes, are left to check_alerts.
create or replace function deals_fire_alerts() returns trigger language plpgsql as $$
declare
  of_deal constant integer := alerts_at_once();
  of_statement constant integer := 10 * of_deal;
  checks bigint[];
  ids bigint[];
begin
  with changed as materialized (
    select n.id, n.currency, n.sale_price, n.old_price, n.old_availability = 'out_of_stock' and n.availability = 'in_stock' as is_back,
           m.allow_alerts and n.is_active and n.availability <> 'out_of_stock'
             and not n.is_expired and (n.expires_at is null or n.expires_at > now()) as is_judged
      from (select n.*, case when o.currency = n.currency then o.sale_price end as old_price, o.availability as old_availability
              from new_rows n full join old_rows o on o.id = n.id -- a full join: see deals_after_update
             where (n.sale_price, n.availability, n.is_active, n.is_expired, n.currency)
                     is distinct from (o.sale_price, o.availability, o.is_active, o.is_expired, o.currency)
            offset 0) n
      join merchants m on m.id = n.merchant_id
  ), watched as materialized (
    select c.*, sum(w.alerts) over (order by c.id) > of_statement or w.alerts > of_deal
             or exists (select from alert_checks e where e.deal_id = c.id) as waits
      from changed c
     cross join lateral (
       select count(*) as alerts from (select from price_alerts a where a.deal_id = c.id limit of_deal + 1) counted) w
     where w.alerts > 0 and (c.is_judged or c.sale_price is distinct from c.old_price)
  ), made as (
    insert into alert_checks (deal_id, currency, old_price, new_price, is_back_in_stock, is_judged, is_undo, mail_wait, price_log_id, low_30, low_90)
      select w.id, w.currency, w.old_price, w.sale_price, w.is_back, w.is_judged,
             coalesce(current_setting('app.undoes_import', true) = 'on', false), staff_wait(),
             (select l.id from valid_prices l where l.deal_id = w.id order by l.at desc, l.id desc limit 1),
             case when w.waits then lowest_price_within(w.id, 30, now()) end,
             case when w.waits then lowest_price_within(w.id, 90, now()) end
        from watched w order by w.id
    returning id, deal_id
  )
  select array_agg(m.id) into checks from made m join watched w on w.id = m.deal_id where not w.waits;
  if checks is null then return null; end if;
  select array_agg(c.id), array_agg(a.id) into checks, ids
    from alert_checks c join price_alerts a on a.deal_id = c.deal_id where c.id = any(checks);
  perform judge_alerts(checks, ids);
  delete from alert_checks where id = any(checks);
  return null;
end $$;
