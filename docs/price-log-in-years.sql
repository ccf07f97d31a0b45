-- Partitions price_log by year without rewriting it: the existing log becomes the first partition (docs/scaling.md, "The price log").
-- Run this once as the tables' owner, while the site is running: psql --set ON_ERROR_STOP=1 --file
-- docs/price-log-in-years.sql Only step 4 blocks writes, briefly. If the script stops, run the whole script again. If
-- step 1 was interrupted, first run `drop index price_log_so_far_pkey`.

-- Step 1: partitions are chosen by time, so the primary key must contain it.
create unique index concurrently if not exists price_log_so_far_pkey on price_log (id, at);

-- Step 2: the first partition ends with a calendar year, at least a month from now.
do $$ begin
  alter table price_log drop constraint if exists price_log_so_far;
  execute format('alter table price_log add constraint price_log_so_far check (at < %L) not valid',
                 date_trunc('year', now() + interval '1 month', 'UTC') + interval '1 year');
end $$;

-- Step 3: validates the constraint, so that step 4 needn't scan the log.
alter table price_log validate constraint price_log_so_far;

-- Step 4: swaps the tables in one transaction that waits at most five seconds for its locks.
do $$
declare
  ends timestamptz;
  newest bigint;
begin
  set local lock_timeout = '5s';
  lock table deals in share row exclusive mode;
  lock table price_log in access exclusive mode;
  select substring(pg_get_constraintdef(oid) from '''(.+?)''')::timestamptz into ends from pg_constraint
   where conrelid = 'price_log'::regclass and conname = 'price_log_so_far';
  newest := coalesce(pg_sequence_last_value(pg_get_serial_sequence('price_log', 'id')), 0);

  drop trigger price_log_append_only on price_log;
  drop trigger price_log_keep_lines on price_log;
  drop trigger price_log_keep_proofs on price_log;
  alter table price_log drop constraint price_log_pkey;
  alter table price_log alter id drop identity;
  alter table price_log add primary key using index price_log_so_far_pkey;
  alter index price_log_deal rename to price_log_so_far_deal;
  alter table price_log rename to price_log_so_far;

  create table price_log (like price_log_so_far including defaults including constraints) partition by range (at);
  alter table price_log drop constraint price_log_so_far;
  execute format('alter table price_log alter id add generated always as identity (start with %s)', newest + 1);
  alter table price_log add primary key (id, at);
  create index price_log_deal on price_log (deal_id, at desc, id desc);
  alter table price_log add foreign key (deal_id) references deals (id) on delete cascade;
  execute format('alter table price_log attach partition price_log_so_far for values from (minvalue) to (%L)', ends);
  alter table price_log_so_far drop constraint price_log_so_far;
  for n in 0..1 loop
    execute format('create table price_log_%s partition of price_log for values from (%L) to (%L)',
                   extract(year from ends at time zone 'UTC') + n, ends + n * interval '1 year', ends + (n + 1) * interval '1 year');
  end loop;
  create table price_log_later partition of price_log default;

  create or replace view valid_prices as
    select l.* from price_log l
      join deals d on d.id = l.deal_id and d.currency = l.currency and (d.currency_since is null or l.at >= d.currency_since)
     where not exists (select from price_voids v where v.line_id = l.id);
  create trigger price_log_append_only before update on price_log for each row execute function refuse_update();
  create trigger price_log_keep_lines after delete on price_log
    referencing old table as old_rows for each statement execute function price_log_keep_lines();
  create trigger price_log_keep_proofs after insert on price_log
    referencing new table as new_rows for each statement execute function price_log_keep_proofs();
end $$;

-- Step 5: analyzes the parent, because autovacuum only analyzes partitions.
analyze price_log;
