-- Deals show how often their price fell from its current level, and past forecasts are compared with the outcome.
-- Forecasts are written every night, and apply only to the price for which they were made.
create table deal_forecasts (
  deal_id bigint primary key references deals (id) on delete cascade,
  made_on date not null,
  price integer not null,
  -- The frequency of a fall and the bounds of its confidence interval, from 0 to 1.
  share real not null,
  low real not null,
  high real not null,
  logged_days smallint not null,
  -- The number of logged days with about this price whose next 30 days are known.
  near_days smallint not null
) with (fillfactor = 60);

-- A random sample of forecasts from each week, judged after their 30 days.
create table forecasts (
  deal_id bigint not null references deals (id) on delete cascade,
  made_on date not null,
  price integer not null,
  share real not null,
  judged_on date,
  -- null after judging: the deal or its log ended within the 30 days.
  fell boolean,
  primary key (deal_id, made_on)
);
create index forecasts_made on forecasts (made_on);
create index forecasts_judged on forecasts (judged_on);

-- The progress of the job, so that it continues after an interruption, and the rates of all deals by a price's rank
-- in its year.
create table forecast_pass (
  is_only boolean primary key default true check (is_only),
  made_on date,
  -- null: the pass is complete.
  deal_next bigint,
  -- The rates being counted by the current pass, and those in use.
  counted jsonb,
  rates jsonb,
  -- Whether forecasts were wrong too often in the last 12 weeks, so that pages show none.
  is_hidden boolean not null default false
);
