-- What a price and the one struck beside it announce, in percent; null where that is no reduction of a whole percent.
create or replace function announced_percent(sale_price integer, struck_price integer) returns real
language sql immutable parallel safe as $$
  select case when struck_price > sale_price and 200 * (struck_price - sale_price)::bigint >= struck_price
         then (100.0 * (struck_price - sale_price) / struck_price)::real end
$$;
