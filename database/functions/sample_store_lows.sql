-- Adds these deals to the stores' daily samples: the number of deals live at noon (UTC) that had
-- been watched for 90 days. Also adds how many of them were at their low after a higher price. A
-- price that never changes is not a low.
create or replace function sample_store_lows(of_deals bigint[], days date[]) returns void language sql
set plan_cache_mode to force_custom_plan as $$
  insert into store_days as kept (merchant_id, day, deals, at_low)
    select d.merchant_id, day, count(*), count(*) filter (where price.latest = price.low and price.high > price.low)
      from deals d
      join merchants m on m.id = d.merchant_id and m.keep_history
      join price_proofs p on p.deal_id = d.id
      cross join unnest(days) day
      cross join lateral (select (day + time '12:00') at time zone 'utc' as noon) at
      cross join lateral (
        select min(l.sale_price) filter (where l.availability <> 'out_of_stock') as low,
               max(l.sale_price) filter (where l.availability <> 'out_of_stock') as high,
               (array_agg(case when l.availability <> 'out_of_stock' then l.sale_price end order by l.at desc, l.id desc))[1] as latest
          from valid_prices l
         where l.deal_id = d.id and l.at <= noon
           and l.at >= (select o.at from valid_prices o where o.deal_id = d.id and o.at <= noon - interval '90 days'
                         order by o.at desc, o.id desc limit 1)) price
     where d.id = any(of_deals) and d.is_active and (d.expires_at is null or d.expires_at > noon)
       and p.watched_since <= noon - interval '90 days' and price.latest is not null
     group by d.merchant_id, day order by d.merchant_id, day
  on conflict (merchant_id, day) do update set deals = kept.deals + excluded.deals, at_low = kept.at_low + excluded.at_low
$$;
