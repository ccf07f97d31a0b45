-- Each amount has the currency it was written in (decision 088). Rows of before are in the site's present one: it was the only one.
create function site_currency() returns text language sql stable as $$
  select coalesce((select value #>> '{}' from site_settings where name = 'currency' and value #>> '{}' ~ '^[A-Z]{3}$'), 'USD')::text
$$;
do $$
declare present text := quote_literal(site_currency());
begin
  -- A constant default is no rewrite, and fires no trigger: no line of the log is touched.
  execute 'alter table deals add column currency text not null default ' || present;
  execute 'alter table price_log add column currency text not null default ' || present;
  execute 'alter table price_alerts add column currency text not null default ' || present;
  execute 'alter table deleted_deals add column currency text not null default ' || present;
  execute 'alter table import_changes add column currency text not null default ' || present;
  execute 'alter table user_favorites add column currency text not null default ' || present;
  execute 'alter table price_proofs add column currency text not null default ' || present;
  execute 'alter table reduction_checks add column currency text not null default ' || present;
  execute 'alter table price_alert_events add column currency text not null default ' || present;
  execute 'alter table webhook_deliveries add column currency text not null default ' || present;
  execute 'alter table product_questions add column currency text not null default ' || present;
  execute 'alter table import_runs add column currency text not null default ' || present;
  execute 'alter table audit_log add column currency text not null default ' || present;
end $$;
alter table deals alter column currency set default site_currency();
alter table price_log alter column currency set default site_currency();
-- The unit of what is kept of deals and runs, where that does not say it itself.
alter table deleted_deals alter column currency set default site_currency();
alter table import_changes alter column currency set default site_currency();
alter table user_favorites alter column currency set default site_currency();
alter table price_proofs alter column currency drop default;
alter table reduction_checks alter column currency drop default;
alter table product_questions alter column currency drop default;
alter table price_alert_events alter column currency set default site_currency();
alter table webhook_deliveries alter column currency set default site_currency();
-- The unit of the amounts that a run previews and that an entry tells.
alter table import_runs alter column currency set default site_currency();
alter table audit_log alter column currency set default site_currency();
alter table price_alerts alter column currency set default site_currency();

-- A deal that was live until the site's currency changed, and is again with its first price in the new one.
alter table deals add column waits_for_price boolean not null default false;
alter table deals add constraint deals_wait_inactive check (not (waits_for_price and is_active));
create index deals_waiting on deals (currency, id) where waits_for_price;

-- When the first price in its currency came after one in another; null: it never had another. What was asked in between is not known.
alter table deals add column currency_since timestamptz;

-- Evidence is a line in its deal's currency, of after the last one in another, that nobody voided.
create or replace view valid_prices as
  select l.* from price_log l
    join deals d on d.id = l.deal_id and d.currency = l.currency and (d.currency_since is null or l.at >= d.currency_since)
   where not exists (select from price_voids v where v.line_id = l.id);

-- Checked reductions leave the claims with the lines that they were measured by, and keep what staff said of them.
create view valid_reductions as
  select c.* from reduction_checks c
    join deals d on d.id = c.deal_id and d.currency = c.currency and (d.currency_since is null or c.began_at >= d.currency_since)
   where c.currency = (select site_currency());
