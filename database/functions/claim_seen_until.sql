-- Returns the last time at which this price was on offer according to the log: `infinity` if it still is, null if it never was.
create or replace function claim_seen_until(of_deal bigint, claim integer) returns timestamptz
language sql stable as $$
  select coalesce((select min(l.at) from valid_prices l where l.deal_id = of_deal and l.at > seen.at), 'infinity')
    from (select max(at) as at from valid_prices
           where deal_id = of_deal and sale_price = claim and availability <> 'out_of_stock') seen
   where seen.at is not null
$$;
