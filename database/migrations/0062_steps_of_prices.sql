-- With price steps of $5, half of the deals in a shop with cheap products were in the first one. These steps grow
-- with the price, each by less than 0.5%.
drop statistics deals_price_steps;
create statistics deals_price_steps on ((ln(sale_price + 1) * 256)::integer) from deals;
