-- Deals show how often their price fell from its current level, and past forecasts are compared with what happened. A
-- forecast is written every night, and applies only to the price for which it was made.
create table deal_forecasts (
  deal_id bigint primary key references deals (id) on delete cascade,
  made_on date not null,
  price integer not null,
  -- From 0 to 1: the frequency of a fall, and the bounds of its interval.
  share real not null,
  low real not null,
  high real not null,
  logged_days smallint not null,
  -- Those of them at about this price whose next 30 days are known.
  near_days smallint not null
) with (fillfactor = 60);

-- Random forecasts of each week, to be judged after their 30 days.
create table forecasts (
  deal_id bigint not null references deals (id) on delete cascade,
  made_on date not null,
  price integer not null,
  share real not null,
  judged_on date,
  -- null after judging: the deal or its log ended before.
  fell boolean,
  primary key (deal_id, made_on)
);
create index forecasts_made on forecasts (made_on);
create index forecasts_judged on forecasts (judged_on);

-- The progress of the job, so that it continues after an interruption, and the rates of all deals by the position of
-- a price in its year.
create table forecast_pass (
  is_only boolean primary key default true check (is_only),
  made_on date,
  -- null: the pass is complete.
  deal_next bigint,
  -- Counted by the current pass, and in use.
  counted jsonb,
  rates jsonb,
  -- Forecasts were wrong too often in the last 12 weeks, so pages show none.
  is_hidden boolean not null default false
);
