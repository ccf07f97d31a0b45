-- Where the newest of these prices (`price_proofs`) stands among those of 90 days: by how many percent it is below the usual
-- one, the median weighted by time on offer (null where it is not, or where the price was seen for less than 14 days), and when a
-- lower and a higher price was last asked. Nothing is said of a deal that is out of stock.
create or replace function price_standing(times bigint[], prices integer[])
returns table (below_usual smallint, lower_until timestamptz, higher_until timestamptz)
language sql stable as $$
  select case when max(asked.total) >= 14 * 86400000::bigint
              then nullif(greatest(0, 100 * (min(asked.price) filter (where asked.passed * 2 >= asked.total) - newest.price::bigint)
                / min(asked.price) filter (where asked.passed * 2 >= asked.total)), 0)::smallint end,
         coalesce(to_timestamp(max(asked.until) filter (where asked.price < newest.price) / 1000.0), '-infinity'),
         to_timestamp(max(asked.until) filter (where asked.price > newest.price) / 1000.0)
    from (select prices[cardinality(prices)] as price, epoch_ms(now()) as until, epoch_ms(now() - interval '90 days') as opens) newest,
         lateral (
           select step.price, step.until, sum(step.until - greatest(step.since, newest.opens)) over (order by step.price) as passed,
                  sum(step.until - greatest(step.since, newest.opens)) over () as total
             from (select s.price, s.since, coalesce(s.until, greatest(newest.until, s.since)) as until
                     from unnest(prices, times, times[2:]) s (price, since, until)) step
            where step.price > 0 and step.until > newest.opens) asked
   where newest.price > 0
   group by newest.price
$$;
