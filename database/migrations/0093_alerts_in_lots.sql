-- A price change takes the same time however many alerts the deal has. It writes one row here, and a job evaluates
-- the alerts in batches, in the order of changes per deal.
create table alert_checks (
  id bigint generated always as identity primary key,
  deal_id bigint not null references deals (id) on delete cascade,
  -- The recorded change, even if the price has changed since. The old price is null if it was in another currency.
  at timestamptz not null default now(),
  currency text,
  old_price integer,
  new_price integer,
  is_back_in_stock boolean not null default false,
  -- false: the deal was unavailable, so the change ends reported drops and fires nothing.
  is_judged boolean not null default false,
  is_undo boolean not null default false,
  mail_wait interval not null default '0',
  price_log_id bigint,
  low_30 integer,
  low_90 integer,
  -- Voided lines of the log, instead of a change. Alerts that fired because of them are re-armed.
  voided_lines bigint[],
  -- The last alert that was evaluated.
  done_to bigint not null default 0
);
create index alert_checks_deal on alert_checks (deal_id, id);

-- The last change that no longer concerns this alert, because the alert fired at it or was armed later.
alter table price_alerts add column seen_check bigint;
-- Alerts are found by deal, in the order of ids. Firing an alert changes no index.
drop index price_alerts_armed, price_alerts_deal;
create index price_alerts_deal on price_alerts (deal_id, id);

drop function fire_price_alerts(bigint[], integer[], integer[]);
drop function if exists arm_voided_alerts(bigint[]);
