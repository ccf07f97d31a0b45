-- Runs of scheduled jobs (decision 099). A process takes a run by inserting its row.
create table job_runs (
  id bigint generated always as identity primary key,
  name text not null,
  -- The minute of the schedule.
  due_at timestamptz not null,
  started_at timestamptz not null default now(),
  -- The process that runs it reports every 30 seconds.
  seen_at timestamptz not null default now(),
  ended_at timestamptz,
  -- Why it failed.
  error text,
  unique (name, due_at)
);

-- A job never runs beside itself.
create unique index job_runs_under_way on job_runs (name) where ended_at is null;

-- The queue that did this before.
drop schema if exists jobs cascade;
