/** Creates the job schema as releases up to 1.1 left it. */
export const earlierJobs = `
  create schema jobs;
  create type jobs.job_state as enum ('created', 'active', 'completed', 'failed');
  create table jobs.job (id uuid primary key default gen_random_uuid(), name text not null, state jobs.job_state not null);
  create table jobs.schedule (name text primary key, cron text not null);
  create function jobs.is_over(state jobs.job_state) returns boolean language sql as $$ select state >= 'completed' $$;
  insert into jobs.job (name, state) values ('expire-deals', 'completed');
  insert into jobs.schedule values ('expire-deals', '* * * * *')`;
