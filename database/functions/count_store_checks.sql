-- Recounts the statistics of these stores' pages: discounts in the last 90 days, days with a feed
-- run, and monthly lows.
create or replace function count_store_checks(of_merchants bigint[]) returns void language sql
set plan_cache_mode to force_custom_plan as $$
  insert into store_checks as kept (merchant_id, announced, checked, matched, smaller, nothing, raised, left_out, median_announced,
      median_seen, watched_long, never_seen, feed_days, read_days, gap_from, gap_days, lows)
    select m.id, r.*, f.feed_days, coalesce(f.read_days, 0), g.gap_from, coalesce(g.gap_days, 0), coalesce(low.months, '[]')
      from merchants m
      cross join lateral (
        select count(*) filter (where left_out is null),
               count(*) filter (where left_out is null and verdict <> 'unknown'),
               count(*) filter (where left_out is null and verdict = 'matches'),
               count(*) filter (where left_out is null and verdict = 'smaller'),
               count(*) filter (where left_out is null and verdict = 'none'),
               count(*) filter (where left_out is null and verdict <> 'unknown' and raised_before),
               count(*) filter (where left_out is not null),
               percentile_cont(.5) within group (order by announced) filter (where left_out is null and verdict <> 'unknown'),
               percentile_cont(.5) within group (order by seen) filter (where left_out is null and verdict <> 'unknown'),
               count(*) filter (where left_out is null and never_seen is not null),
               count(*) filter (where left_out is null and never_seen)
          from valid_reductions c
         where c.merchant_id = m.id and c.began_at >= now() - interval '90 days') r
      cross join lateral (select (now() at time zone 'utc')::date as today) t
      cross join lateral (
        select case when count(*) > 0 then least(90, today - min(day)) else 0 end as feed_days,
               count(*) filter (where day >= today - 90 and day < today) as read_days
          from store_days s where s.merchant_id = m.id and s.is_read) f
      left join lateral (
        select day + 1 as gap_from, next - day - 1 as gap_days
          from (select day, lead(day, 1, today) over (order by day) as next
                  from (select greatest(day, today - f.feed_days - 1) as day from store_days s
                         where s.merchant_id = m.id and s.is_read and day < today) known) pairs
         where next - day > 1
         order by next - day desc, day desc limit 1) g on true
      left join lateral (
        select jsonb_agg(jsonb_build_object('month', month, 'deals', deals, 'at_low', at_low) order by month) as months
          from (select to_char(day, 'YYYY-MM') as month, sum(s.deals) as deals, sum(s.at_low) as at_low
                  from store_days s
                 where s.merchant_id = m.id and s.deals > 0 and day >= date_trunc('month', today - interval '11 months')
                 group by 1) sums) low on true
     where m.id = any(of_merchants) and m.keep_history
  on conflict (merchant_id) do update
    set (counted_at, is_outdated, announced, checked, matched, smaller, nothing, raised, left_out, median_announced, median_seen,
         watched_long, never_seen, feed_days, read_days, gap_from, gap_days, lows) =
        (now(), false, excluded.announced, excluded.checked, excluded.matched, excluded.smaller, excluded.nothing, excluded.raised,
         excluded.left_out, excluded.median_announced, excluded.median_seen, excluded.watched_long, excluded.never_seen,
         excluded.feed_days, excluded.read_days, excluded.gap_from, excluded.gap_days, excluded.lows)
$$;
