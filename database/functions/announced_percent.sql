-- Returns the discount in percent that a price and its struck price announce, or null if it is
-- below one percent.
create or replace function announced_percent(sale_price integer, struck_price integer) returns real
language sql immutable parallel safe as $$
  select case when struck_price > sale_price and 200 * (struck_price - sale_price)::bigint >= struck_price
         then (100.0 * (struck_price - sale_price) / struck_price)::real end
$$;
