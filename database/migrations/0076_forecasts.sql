-- Deals say how often their price fell from where it stands, and past forecasts are held against what happened (decision 069).
-- Written anew each night; it is said of the price for which it was made, and of no other.
create table deal_forecasts (
  deal_id bigint primary key references deals (id) on delete cascade,
  made_on date not null,
  price integer not null,
  -- from 0 to 1: how often it fell, and the bounds of its band
  share real not null,
  low real not null,
  high real not null,
  logged_days smallint not null,
  -- those of them at about this price, whose next 30 days are known
  near_days smallint not null
) with (fillfactor = 60);

-- Drawn at random each week, to be judged when their 30 days are over.
create table forecasts (
  deal_id bigint not null references deals (id) on delete cascade,
  made_on date not null,
  price integer not null,
  share real not null,
  judged_on date,
  -- null once judged: the deal ended before, or its log did
  fell boolean,
  primary key (deal_id, made_on)
);
create index forecasts_made on forecasts (made_on);
create index forecasts_judged on forecasts (judged_on);

-- How far the job has come, so that it goes on where it was cut off; and the rates of all deals, by the place of a price in its year.
create table forecast_pass (
  is_only boolean primary key default true check (is_only),
  made_on date,
  -- null: the pass is done
  deal_next bigint,
  -- counted by the pass under way, and in force
  counted jsonb,
  rates jsonb,
  -- forecasts were wrong too often in the last 12 weeks: pages say none
  is_hidden boolean not null default false
);
