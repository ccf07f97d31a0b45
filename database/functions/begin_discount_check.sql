-- Begins a pass of the discount check, unless one is running. Records the last log entry that it
-- reads, the days with feed runs by store, and whether lows are sampled.
create or replace function begin_discount_check() returns void language plpgsql as $$
declare
  pass discount_check_pass;
  newest bigint := (select coalesce(max(id), 0) from price_log);
  sample date := (select max(day)::date from generate_series(now() - interval '12 hours', now() - interval '12 days', interval '-1 day') at,
                         lateral (select (at at time zone 'utc')::date) d (day) where extract(day from day) in (5, 15, 25));
begin
  insert into discount_check_pass default values on conflict do nothing;
  select * into pass from discount_check_pass for update;
  insert into store_days (merchant_id, day, is_read)
    select distinct merchant_id, (finished_at at time zone 'utc')::date, true from import_runs
     where id >= pass.run_next and not is_dry_run and merchant_id is not null and finished_at is not null
       and state in ('done', 'asking', 'unchanged', 'rolled_back')
     order by 1, 2
  on conflict (merchant_id, day) do update set is_read = true;
  update discount_check_pass
     set run_next = coalesce((select min(id) from import_runs where state in ('queued', 'running')),
                             (select max(id) + 1 from import_runs), 0);
  if pass.line_next > pass.line_last then
    -- The first pass reads all deals, which covers all existing lines.
    update discount_check_pass
       set line_next = case when pass.deal_next is null then line_seen else newest end + 1,
           line_seen = case when pass.deal_next is null then line_known else greatest(newest - 10000, 0) end, line_known = newest, line_last = newest;
  end if;
  if pass.lows_to is null and sample > coalesce(pass.lows_done, '-infinity') then
    update discount_check_pass set lows_to = sample, lows_deal = 0;
  end if;
end $$;
