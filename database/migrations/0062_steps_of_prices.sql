-- Steps of five dollars held half of a shop of small things in the first of them. These grow with the price, by less than a two-hundredth each.
drop statistics deals_price_steps;
create statistics deals_price_steps on ((ln(sale_price + 1) * 256)::integer) from deals;
