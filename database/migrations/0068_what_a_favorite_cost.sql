-- The price of a deal when it was saved. null if it was unavailable, or if its store forbids price history.
alter table user_favorites add column kept_price integer check (kept_price > 0);
-- Existing favorites get the price in the log at the time they were saved.
update user_favorites f set kept_price = (
  select case when l.availability <> 'out_of_stock' then l.sale_price end from price_log l
   where l.deal_id = f.deal_id and l.at <= f.created_at order by l.at desc, l.id desc limit 1)
 where exists (select from deals d join merchants m on m.id = d.merchant_id where d.id = f.deal_id and m.keep_history);
