-- Returns the lowest price in some days before a time, including the price that applied when that
-- window began. Ignores prices while out of stock.
create or replace function lowest_price_within(of_deal bigint, days integer, moment timestamptz) returns integer
language sql stable as $$
  select min(sale_price) from (
    (select sale_price from valid_prices
      where deal_id = of_deal and at < moment and at >= moment - make_interval(days => days)
        and availability <> 'out_of_stock')
    union all
    (select sale_price from (
       select sale_price, availability from valid_prices
        where deal_id = of_deal and at < moment - make_interval(days => days)
        order by at desc, id desc limit 1) opening
      where availability <> 'out_of_stock')
  ) seen
$$;
