-- Compares the discounts that these deals have announced since a time with the price log, and
-- stores the result. Idempotent; `-infinity` recomputes everything. Exclusions by staff are kept.
--
-- A discount begins with a line of the log that announces the first discount, or an old price that
-- is higher than before. A discount also begins with a line that lowers the price after it had
-- risen. A price that falls step by step is one discount. After 90 days a discount is compared again,
-- against the price that was in force longest during those days.
create or replace function check_reductions(of_deals bigint[], since timestamptz) returns void language sql
set plan_cache_mode to force_custom_plan as $$
  with asked as materialized (
    select d.id as deal_id, d.merchant_id, d.currency, d.currency_since, least(coalesce(d.expires_at, 'infinity'), now()) as ends_at, p.watched_since,
           greatest(since, now() - interval '100 days') as from_then
      from deals d join merchants m on m.id = d.merchant_id and m.keep_history join price_proofs p on p.deal_id = d.id
     where d.id = any(of_deals) and p.watched_since is not null and d.currency = (select site_currency())
  ), lines as (
    select a.deal_id, l.id, l.at, l.sale_price as price, l.original_price as struck,
           lag(l.sale_price) over line as was, lag(l.original_price) over line as was_struck
      from asked a join valid_prices l on l.deal_id = a.deal_id
     where l.availability <> 'out_of_stock'
       and l.at >= coalesce((select o.at from valid_prices o
         where o.deal_id = a.deal_id and o.at < since and o.availability <> 'out_of_stock'
         order by o.at desc, o.id desc limit 1), '-infinity')
    window line as (partition by l.deal_id order by l.at, l.id)
  ), judged as (
    select l.*, announced_percent(price, struck) is null as is_end,
           announced_percent(price, struck) is not null and (
             announced_percent(was, was_struck) is null or struck > was_struck
             or price < was and was > (
               select o.sale_price from valid_prices o
                where o.deal_id = l.deal_id and o.availability <> 'out_of_stock' and o.at <= l.at and o.sale_price <> l.was
                  and (o.at, o.id) < (l.at, l.id)
                order by o.at desc, o.id desc limit 1)) as is_begin
      from lines l where l.at >= since
  ), stopped as (
    select deal_id, at, is_begin,
           min(at) filter (where is_begin or is_end)
             over (partition by deal_id order by at desc, id desc rows between unbounded preceding and 1 preceding) as stops_at
      from judged
  ), ends as (
    select deal_id, min(at) as at from judged where is_begin or is_end group by deal_id
  ), runs as (
    select deal_id, at, stops_at, true as is_new from stopped where is_begin
    union all
    -- Includes earlier discounts that may continue.
    select a.deal_id, r.began_at,
           coalesce((select min(l.at) from valid_prices l
                      where l.deal_id = a.deal_id and l.at > r.began_at and l.at < since and l.availability <> 'out_of_stock'
                        and announced_percent(l.sale_price, l.original_price) is null),
                    e.at), false
      from asked a left join ends e using (deal_id) cross join lateral (
        select began_at from valid_reductions c where c.deal_id = a.deal_id and c.began_at < since
         order by began_at desc limit 1) r
     where r.began_at <= now() - interval '90 days'
  ), moments as (
    -- Only the first line of each day counts, so that frequent changes within a day have no greater
    -- weight.
    select distinct on (deal_id, (at at time zone 'utc')::date) a.*, m.at, m.is_standing
      from (
        select deal_id, at, false as is_standing from runs where is_new
        union all
        select r.deal_id, moment, true
          from runs r join asked using (deal_id),
               generate_series(r.at + interval '90 days', least(r.stops_at - interval '1 microsecond', ends_at), interval '90 days') moment
      ) m join asked a using (deal_id)
     where (m.at >= a.from_then or m.is_standing and m.at >= now() - interval '100 days')
       and not exists (select from valid_reductions c
         where c.deal_id = m.deal_id and c.began_at < least(since, m.at)
           and c.began_at >= date_trunc('day', m.at, 'utc'))
     order by deal_id, (at at time zone 'utc')::date, at
  ), measured as (
    select m.deal_id, m.merchant_id, m.currency, m.at, m.is_standing, now_asked.sale_price, now_asked.original_price as struck_price,
           announced_percent(now_asked.sale_price, now_asked.original_price) as announced,
           before.low30, before.common90, case when m.is_standing then before.common90 else before.low30 end as measured,
           before.raised_at, extract(epoch from m.at - m.watched_since)::bigint / 86400 as logged_days, feed.read_days, feed.read_180
      from moments m
      cross join lateral (
        select sale_price, original_price from valid_prices l
         where l.deal_id = m.deal_id and l.at <= m.at and l.availability <> 'out_of_stock'
         order by l.at desc, l.id desc limit 1) now_asked
      cross join lateral (
        with steps as (
          select l.sale_price as price, l.at, coalesce(lead(l.at) over (order by l.at, l.id), m.at) as until,
                 l.availability <> 'out_of_stock' as is_offer
            from valid_prices l
           where l.deal_id = m.deal_id and l.at < m.at
             and l.at >= coalesce((select o.at from valid_prices o where o.deal_id = m.deal_id and o.at < m.at - interval '90 days'
                                    order by o.at desc, o.id desc limit 1), '-infinity')
        ), offers as (
          select * from steps where is_offer
        ), low as (
          select price, max(at) as at from offers where until > m.at - interval '30 days' group by price order by price limit 1
        )
        select (select price from low) as low30,
               (select price from offers group by price
                 order by sum(until - greatest(at, m.at - interval '90 days')) desc, price desc limit 1) as common90,
               (select min(o.at) from offers o, low where o.at > low.at and o.price >= 1.05 * low.price) as raised_at
      ) before
      cross join lateral (
        select case when exists (select from store_days r where r.merchant_id = m.merchant_id and r.is_read)
               then count(*) filter (where day >= (m.at at time zone 'utc')::date - 30) end as read_days,
               count(*) as read_180
          from store_days r
         where r.merchant_id = m.merchant_id and r.is_read
           and day >= (m.at at time zone 'utc')::date - 180 and day < (m.at at time zone 'utc')::date) feed
  ), known as (
    select *, case when logged_days >= 30 then (100.0 * greatest(measured - sale_price, 0) / measured)::real end as seen
      from measured where announced is not null
  ), written as (
    insert into reduction_checks as c (deal_id, began_at, merchant_id, currency, sale_price, struck_price, announced, low30, common90, measured,
        seen, is_standing, logged_days, read_days, raised_at, never_seen, verdict)
      select deal_id, at, merchant_id, currency, sale_price, struck_price, announced, low30, common90, measured, seen, is_standing,
             least(logged_days, 32767), read_days, case when not is_standing then raised_at end,
             case when logged_days >= 180 and read_180 >= 180 then not exists (
               select from valid_prices l where l.deal_id = k.deal_id and l.at < k.at and l.availability <> 'out_of_stock'
                  and l.sale_price >= .98 * k.struck_price) end,
             case when seen is null then 'unknown' when seen >= announced - 5 then 'matches' when seen >= 1 then 'smaller' else 'none' end
        from known k
       order by deal_id, at
    on conflict (deal_id, began_at) do update
      set (sale_price, struck_price, announced, low30, common90, measured, seen, is_standing, logged_days, read_days, raised_at,
           never_seen, verdict) =
          (excluded.sale_price, excluded.struck_price, excluded.announced, excluded.low30, excluded.common90, excluded.measured,
           excluded.seen, excluded.is_standing, excluded.logged_days, excluded.read_days, excluded.raised_at, excluded.never_seen,
           excluded.verdict)
    returning c.deal_id, c.began_at, c.merchant_id
  ), gone as (
    delete from reduction_checks c using asked a
     where c.deal_id = a.deal_id and c.began_at >= a.from_then and c.left_out is null
       and c.currency = a.currency and (a.currency_since is null or c.began_at >= a.currency_since)
       and not exists (select from known k where k.deal_id = c.deal_id and k.at = c.began_at)
    returning c.merchant_id
  )
  insert into store_checks (merchant_id, is_outdated)
    select merchant_id, true from (select merchant_id from written union select merchant_id from gone) changed order by merchant_id
  on conflict (merchant_id) do update set is_outdated = true;
  select keep_measured_prices(of_deals)
$$;
