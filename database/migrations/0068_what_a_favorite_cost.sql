-- What a deal cost when it was kept (decision 063); null where it could not be had then, or where its store's past may not be kept.
alter table user_favorites add column kept_price integer check (kept_price > 0);
-- Of those from before it is what the log had in force then.
update user_favorites f set kept_price = (
  select case when l.availability <> 'out_of_stock' then l.sale_price end from price_log l
   where l.deal_id = f.deal_id and l.at <= f.created_at order by l.at desc, l.id desc limit 1)
 where exists (select from deals d join merchants m on m.id = d.merchant_id where d.id = f.deal_id and m.keep_history);
