-- The low that a present price is measured against (P7b).
create or replace function lowest_price_before(of_deal bigint, moment timestamptz) returns integer
language sql stable as $$
  select lowest_price_within(of_deal, 30, moment)
$$;
