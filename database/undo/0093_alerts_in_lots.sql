drop index price_alerts_deal;
create index price_alerts_deal on price_alerts (deal_id, last_mailed_price);
create index price_alerts_armed on price_alerts (deal_id) include (id, kind, target_price, target_percent, base_price)
  where is_active;
alter table price_alerts drop column seen_check;
drop table alert_checks;
