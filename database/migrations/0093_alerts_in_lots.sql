-- A deal with many watchers is repriced as fast as one with none: the change leaves a row here in its transaction, and a job judges
-- the alerts against it in lots, the changes of a deal in their order (decision 090).
create table alert_checks (
  id bigint generated always as identity primary key,
  deal_id bigint not null references deals (id) on delete cascade,
  -- The change as it was then, whatever the deal costs by now; without an old price where that was in another currency.
  at timestamptz not null default now(),
  currency text,
  old_price integer,
  new_price integer,
  is_back_in_stock boolean not null default false,
  -- False: the deal could not be had, so the change ends told drops and fires nothing.
  is_judged boolean not null default false,
  is_undo boolean not null default false,
  mail_wait interval not null default '0',
  price_log_id bigint,
  low_30 integer,
  low_90 integer,
  -- In place of a change: lines of the log that were voided. Alerts that fired at them are armed again.
  voided_lines bigint[],
  -- The last alert that was looked at.
  done_to bigint not null default 0
);
create index alert_checks_deal on alert_checks (deal_id, id);

-- The last change that has nothing to say to this alert any more: it fired at it, or was armed after it.
alter table price_alerts add column seen_check bigint;
-- Alerts are found by their deal in the order of their ids. One that fires changes no index.
drop index price_alerts_armed, price_alerts_deal;
create index price_alerts_deal on price_alerts (deal_id, id);

drop function fire_price_alerts(bigint[], integer[], integer[]);
drop function if exists arm_voided_alerts(bigint[]);
