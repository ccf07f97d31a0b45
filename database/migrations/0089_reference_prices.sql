-- Discounts are computed from prices in our own log, if it covers 14 of the last 90 days. The reference price is
-- stored with the price steps, and in the deal for lists sorted or filtered by discount.
drop index deals_live_discount, deals_live_category_discount, deals_live_price, deals_live_category_price, deals_live_traits,
  deals_live_category_traits, deals_live_merchant_traits, deals_live_expiring;

alter table price_proofs
  add column usual_price integer,
  -- The price from which the discount check measured the current reduction.
  add column measured_price integer,
  add column reference_price integer;
update price_proofs p set measured_price = c.price
  from (select distinct on (deal_id) deal_id, struck_price, case when verdict <> 'unknown' then measured end as price
          from reduction_checks where left_out is null order by deal_id, began_at desc) c
 where c.deal_id = p.deal_id and c.struck_price = p.claim and c.price is not null;

drop trigger price_proofs_stand on price_proofs;
drop function price_standing(bigint[], integer[]);
create function price_standing(times bigint[], prices integer[], claim integer, measured_price integer)
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
update price_proofs p set usual_price = s.usual_price, reference_price = s.reference_price
  from price_proofs k cross join lateral price_standing(k.at, k.price, k.claim, k.measured_price) s
 where p.deal_id = k.deal_id and s.reference_price is not null;
create trigger price_proofs_stand before insert or update of price, measured_price on price_proofs
  for each row execute function price_proofs_stand();

alter table deals disable trigger user;
alter table deals add column reference_price integer;
update deals d set reference_price = p.reference_price
  from price_proofs p, merchants m
 where p.deal_id = d.id and p.reference_price is not null and m.id = d.merchant_id and m.keep_history;
alter table deals enable trigger user;
-- The percentage that a card shows by default: of the reference price if there is one, otherwise the store's claim.
alter table deals add column checked_percent smallint not null generated always as (
  case when reference_price is null then
         case when original_price > sale_price then round(100.0 * (original_price - sale_price) / original_price)::smallint else 0 end
       when 100 * (reference_price - sale_price)::bigint >= reference_price
         then round(100.0 * (reference_price - sale_price) / reference_price)::smallint else 0 end) stored;

create index deals_live_checked on deals (checked_percent desc, id desc)
  include (expires_at, traits, sale_price, merchant_id) where is_active and not is_expired;
create index deals_live_category_checked on deals (category_id, checked_percent desc, id desc)
  include (expires_at, traits, sale_price, merchant_id) where is_active and not is_expired;
-- Claimed discounts are no longer the default order, so categories have no index of their own for them, as for observed discounts.
create index deals_live_discount on deals (discount_percent desc, id desc)
  include (expires_at, traits, sale_price, category_id, merchant_id) where is_active and not is_expired;
create index deals_live_price on deals (sale_price, id)
  include (expires_at, traits, created_at, discount_percent, observed_percent, checked_percent, merchant_id) where is_active and not is_expired;
create index deals_live_category_price on deals (category_id, sale_price, id)
  include (expires_at, traits, created_at, discount_percent, observed_percent, checked_percent, merchant_id) where is_active and not is_expired;
create index deals_live_traits on deals (traits, sale_price, id)
  include (expires_at, created_at, discount_percent, observed_percent, checked_percent, category_id, merchant_id) where is_active and not is_expired;
create index deals_live_category_traits on deals (category_id, traits, sale_price, id)
  include (expires_at, created_at, discount_percent, observed_percent, checked_percent, merchant_id) where is_active and not is_expired;
create index deals_live_merchant_traits on deals (merchant_id, traits, sale_price, id)
  include (expires_at, created_at, discount_percent, observed_percent, checked_percent, category_id) where is_active and not is_expired;
create index deals_live_expiring on deals (expires_at)
  include (traits, sale_price, id, created_at, discount_percent, observed_percent, checked_percent, category_id, merchant_id)
  where is_active and not is_expired and expires_at is not null;
