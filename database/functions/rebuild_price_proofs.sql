-- Recomputes the price facts of cards from the log, for these deals or for all. If there are more
-- than 120 steps in 90 days, stores the newest 40. For each earlier day, stores the lowest price
-- since its first step. A low may therefore be shown too low, but never too high.
create or replace function rebuild_price_proofs(of_deals bigint[]) returns void language sql as $$
  with lines as (
    select l.deal_id, l.id, l.at, l.sale_price, l.availability <> 'out_of_stock' as is_offer, d.price_since,
           d.original_price as claim, d.currency
      from valid_prices l join deals d on d.id = l.deal_id
     where of_deals is null or l.deal_id = any(of_deals)
  ), whole as (
    select deal_id, claim, currency, min(at) filter (where is_offer) as watched_since, min(sale_price) filter (where is_offer) as lowest_ever,
           min(sale_price) filter (where is_offer and at < price_since) as lowest_before,
           coalesce(max(at) filter (where at <= now() - interval '90 days'), '-infinity') as opening,
           count(*) filter (where at > now() - interval '90 days') > 120 as is_long
      from lines group by deal_id, claim, currency
  ), numbered as (
    select l.*, w.is_long, row_number() over (partition by deal_id order by l.at desc, l.id desc) as age
      from lines l join whole w using (deal_id) where l.at >= w.opening
  ), steps as (
    select deal_id, min(at) as at, min(id) as id, bool_or(is_offer) as is_offer,
           coalesce(min(sale_price) filter (where is_offer), min(sale_price)) as price
      from numbered
     group by deal_id, case when is_long and age > 40 then (at at time zone 'utc')::date end, case when is_long and age > 40 then 0 else id end
  ), lows as (
    -- Prices while out of stock are negative.
    select deal_id, at, id, case when is_offer then price else -price end as price, min(case when is_offer then price else 2147483647 end)
             over (partition by deal_id order by at desc, id desc) as low
      from steps
  )
  insert into price_proofs as p (deal_id, watched_since, lowest_ever, lowest_before, claim, claim_seen_until, at, price, low, currency)
    select w.deal_id, w.watched_since, w.lowest_ever, w.lowest_before, w.claim, claim_seen_until(w.deal_id, w.claim),
           array_agg(epoch_ms(l.at) order by l.at, l.id), array_agg(l.price order by l.at, l.id), array_agg(l.low order by l.at, l.id), w.currency
      from whole w join lows l using (deal_id)
     group by w.deal_id, w.watched_since, w.lowest_ever, w.lowest_before, w.claim, w.currency
  on conflict (deal_id) do update
    set (watched_since, lowest_ever, lowest_before, claim, claim_seen_until, at, price, low, currency) =
        (excluded.watched_since, excluded.lowest_ever, excluded.lowest_before, excluded.claim, excluded.claim_seen_until,
         excluded.at, excluded.price, excluded.low, excluded.currency);
  select keep_reference_prices(case when of_deals is null then array(select deal_id from price_proofs) else of_deals end)
$$;
