-- Deals and stores can have a shipping cost, which store comparisons add to the price.
alter table deals add column shipping_cost integer check (shipping_cost >= 0);
alter table merchants add column standard_shipping integer check (standard_shipping >= 0);
