-- With steps of five dollars, half of a shop with cheap products was in the first one. These steps grow with the
-- price, by less than a two-hundredth each.
drop statistics deals_price_steps;
create statistics deals_price_steps on ((ln(sale_price + 1) * 256)::integer) from deals;
