-- Runs of scheduled jobs. A process claims a run by inserting its row.
create table job_runs (
  id bigint generated always as identity primary key,
  name text not null,
  -- The scheduled minute.
  due_at timestamptz not null,
  started_at timestamptz not null default now(),
  -- The process that runs the job, which reports every 30 seconds.
  seen_at timestamptz not null default now(),
  ended_at timestamptz,
  -- The reason for the failure.
  error text,
  unique (name, due_at)
);

-- Prevents two simultaneous runs of a job.
create unique index job_runs_under_way on job_runs (name) where ended_at is null;

-- The previous job queue.
drop schema if exists jobs cascade;
