-- Facts that cards show about a price (first day, lows, steps of 90 days) are stored per deal, because reading the
-- log took ever longer. `at` is in milliseconds since 1970. `low` is the lowest in-stock price from that step to the
-- newest (2147483647: none), so that a binary search finds the low of any window.
create table price_proofs (
  deal_id bigint primary key references deals on delete cascade,
  watched_since timestamptz,
  lowest_ever integer,
  lowest_before integer,
  -- The claimed original price, and the last time when the log contained it: `infinity` while it still applies.
  claim integer,
  claim_seen_until timestamptz,
  at bigint[] not null,
  price integer[] not null,
  low integer[] not null
) with (fillfactor = 80);

-- The functions below are replaced from `functions/` at each start. These versions only process existing rows.
create function epoch_ms(moment timestamptz) returns bigint
language sql stable parallel safe as $$
  select floor(extract(epoch from moment) * 1000)::bigint
$$;

create function lowest_since(at bigint[], low integer[], since timestamptz) returns integer
language sql stable parallel safe as $$
  select nullif(low[greatest(1, width_bucket(epoch_ms(since), at))], 2147483647)
$$;

create function claim_seen_until(of_deal bigint, claim integer) returns timestamptz
language sql stable as $$
  select coalesce((select min(l.at) from price_log l where l.deal_id = of_deal and l.at > seen.at), 'infinity')
    from (select max(at) as at from price_log
           where deal_id = of_deal and sale_price = claim and availability <> 'out_of_stock') seen
   where seen.at is not null
$$;

create function rebuild_price_proofs(of_deals bigint[]) returns void language sql as $$
  with lines as (
    select l.deal_id, l.id, l.at, l.sale_price, l.original_price, l.availability <> 'out_of_stock' as is_offer, d.price_since,
           d.original_price as claim
      from price_log l join deals d on d.id = l.deal_id
     where of_deals is null or l.deal_id = any(of_deals)
  ), whole as (
    select deal_id, claim, min(at) filter (where is_offer) as watched_since, min(sale_price) filter (where is_offer) as lowest_ever,
           min(sale_price) filter (where is_offer and at < price_since) as lowest_before,
           coalesce(max(at) filter (where at <= now() - interval '90 days'), '-infinity') as opening,
           count(*) filter (where at > now() - interval '90 days') > 120 as is_long
      from lines group by deal_id, claim
  ), numbered as (
    select l.*, w.is_long, row_number() over (partition by deal_id order by l.at desc, l.id desc) as age
      from lines l join whole w using (deal_id) where l.at >= w.opening
  ), steps as (
    select deal_id, min(at) as at, min(id) as id, bool_or(is_offer) as is_offer,
           coalesce(min(sale_price) filter (where is_offer), min(sale_price)) as price
      from numbered
     group by deal_id, case when is_long and age > 40 then (at at time zone 'utc')::date end, case when is_long and age > 40 then 0 else id end
  ), lows as (
    select deal_id, at, id, price, min(case when is_offer then price else 2147483647 end)
             over (partition by deal_id order by at desc, id desc) as low
      from steps
  )
  insert into price_proofs as p (deal_id, watched_since, lowest_ever, lowest_before, claim, claim_seen_until, at, price, low)
    select w.deal_id, w.watched_since, w.lowest_ever, w.lowest_before, w.claim, claim_seen_until(w.deal_id, w.claim),
           array_agg(epoch_ms(l.at) order by l.at, l.id), array_agg(l.price order by l.at, l.id), array_agg(l.low order by l.at, l.id)
      from whole w join lows l using (deal_id)
     group by w.deal_id, w.watched_since, w.lowest_ever, w.lowest_before, w.claim
  on conflict (deal_id) do update
    set (watched_since, lowest_ever, lowest_before, claim, claim_seen_until, at, price, low) =
        (excluded.watched_since, excluded.lowest_ever, excluded.lowest_before, excluded.claim, excluded.claim_seen_until,
         excluded.at, excluded.price, excluded.low)
$$;

select rebuild_price_proofs(null);

create function price_log_keep_proofs() returns trigger language plpgsql as $$ begin return null; end $$;
create trigger price_log_keep_proofs after insert on price_log
  referencing new table as new_rows for each statement execute function price_log_keep_proofs();
