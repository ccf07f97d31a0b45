-- Compares the newest of these prices (`price_proofs`) with those of 90 days. Returns the
-- percentage below the usual price, and the last times of a lower and a higher price, unless the
-- deal is out of stock. The usual price is the median weighted by time in stock, or null if the
-- deal was in stock for less than 14 days. The reference price, the base of a discount, is the
-- lowest of three: the usual price, the claimed one, and the one from the discount check. The
-- claimed price counts only if it was logged on enough of the 90 days; the owner sets that number.
create or replace function price_standing(times bigint[], prices integer[], claim integer, measured_price integer)
returns table (below_usual smallint, lower_until timestamptz, higher_until timestamptz, usual_price integer, reference_price integer)
language sql stable as $$
  select case when newest.price > 0 then nullif(greatest(0, 100 * (found.usual - newest.price::bigint) / found.usual), 0)::smallint end,
         coalesce(case when newest.price > 0 then to_timestamp(found.lower / 1000.0) end, '-infinity'),
         case when newest.price > 0 then to_timestamp(found.higher / 1000.0) end,
         found.usual,
         least(found.usual, measured_price, case when claim < found.usual and claim > abs(newest.price) and floor(found.claimed / 86400000.0) >= coalesce(
           (select (value #>> '{}')::integer from site_settings where name = 'wasPriceDays'), 14) and found.claimed > 0 then claim end)
    from (select prices[cardinality(prices)] as price, epoch_ms(now()) as until, epoch_ms(now() - interval '90 days') as opens) newest,
         lateral (
           select case when max(asked.total) >= 14 * 86400000::bigint then min(asked.price) filter (where asked.passed * 2 >= asked.total) end as usual,
                  max(asked.until) filter (where asked.price < newest.price) as lower,
                  max(asked.until) filter (where asked.price > newest.price) as higher,
                  sum(asked.length) filter (where asked.price = claim) as claimed
             from (select step.price, step.until, step.until - greatest(step.since, newest.opens) as length,
                          sum(step.until - greatest(step.since, newest.opens)) over (order by step.price) as passed,
                          sum(step.until - greatest(step.since, newest.opens)) over () as total
                     from (select s.price, s.since, coalesce(s.until, greatest(newest.until, s.since)) as until
                             from unnest(prices, times, times[2:]) s (price, since, until)) step
                    where step.price > 0 and step.until > newest.opens) asked) found
$$;
