-- Every amount now has a currency. Existing rows get the site's current one, which was the only one.
create function site_currency() returns text language sql stable as $$
  select coalesce((select value #>> '{}' from site_settings where name = 'currency' and value #>> '{}' ~ '^[A-Z]{3}$'), 'USD')::text
$$;
do $$
declare present text := quote_literal(site_currency());
begin
  -- A constant default neither rewrites the table nor fires triggers, so no line of the log changes.
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
-- The currency of deleted deals and runs whose stored values contain none.
alter table deleted_deals alter column currency set default site_currency();
alter table import_changes alter column currency set default site_currency();
alter table user_favorites alter column currency set default site_currency();
alter table price_proofs alter column currency drop default;
alter table reduction_checks alter column currency drop default;
alter table product_questions alter column currency drop default;
alter table price_alert_events alter column currency set default site_currency();
alter table webhook_deliveries alter column currency set default site_currency();
-- The currency of the amounts in a run's preview and in an alert's history.
alter table import_runs alter column currency set default site_currency();
alter table audit_log alter column currency set default site_currency();
alter table price_alerts alter column currency set default site_currency();

-- Marks a deal that was live until the site's currency changed. It becomes live again with its first price in the new
-- one.
alter table deals add column waits_for_price boolean not null default false;
alter table deals add constraint deals_wait_inactive check (not (waits_for_price and is_active));
create index deals_waiting on deals (currency, id) where waits_for_price;

-- The time of the first price in this currency after one in another. null: the deal never had another. Prices in
-- between are unknown.
alter table deals add column currency_since timestamptz;

-- Evidence: valid lines in the deal's currency since the last line in another one.
create or replace view valid_prices as
  select l.* from price_log l
    join deals d on d.id = l.deal_id and d.currency = l.currency and (d.currency_since is null or l.at >= d.currency_since)
   where not exists (select from price_voids v where v.line_id = l.id);

-- Checked reductions no longer count once their lines don't, but keep the decisions of staff.
create view valid_reductions as
  select c.* from reduction_checks c
    join deals d on d.id = c.deal_id and d.currency = c.currency and (d.currency_since is null or c.began_at >= d.currency_since)
   where c.currency = (select site_currency());
