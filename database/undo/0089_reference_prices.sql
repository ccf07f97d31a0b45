drop index deals_live_checked, deals_live_category_checked, deals_live_discount, deals_live_price, deals_live_category_price, deals_live_traits,
  deals_live_category_traits, deals_live_merchant_traits, deals_live_expiring;
alter table deals drop column checked_percent, drop column reference_price;
drop trigger price_proofs_stand on price_proofs;
create trigger price_proofs_stand before insert or update of price on price_proofs
  for each row execute function price_proofs_stand();
drop function price_standing(bigint[], integer[], integer, integer);
drop function keep_reference_prices(bigint[]), keep_measured_prices(bigint[]);
alter table price_proofs drop column usual_price, drop column measured_price, drop column reference_price;
create index deals_live_discount on deals (discount_percent desc, id desc)
  include (expires_at, traits, sale_price, merchant_id) where is_active and not is_expired;
create index deals_live_category_discount on deals (category_id, discount_percent desc, id desc)
  include (expires_at, traits, sale_price, merchant_id) where is_active and not is_expired;
create index deals_live_price on deals (sale_price, id)
  include (expires_at, traits, created_at, discount_percent, observed_percent, merchant_id) where is_active and not is_expired;
create index deals_live_category_price on deals (category_id, sale_price, id)
  include (expires_at, traits, created_at, discount_percent, observed_percent, merchant_id) where is_active and not is_expired;
create index deals_live_traits on deals (traits, sale_price, id)
  include (expires_at, created_at, discount_percent, observed_percent, category_id, merchant_id) where is_active and not is_expired;
create index deals_live_category_traits on deals (category_id, traits, sale_price, id)
  include (expires_at, created_at, discount_percent, observed_percent, merchant_id) where is_active and not is_expired;
create index deals_live_merchant_traits on deals (merchant_id, traits, sale_price, id)
  include (expires_at, created_at, discount_percent, observed_percent, category_id) where is_active and not is_expired;
create index deals_live_expiring on deals (expires_at)
  include (traits, sale_price, id, created_at, discount_percent, observed_percent, category_id, merchant_id)
  where is_active and not is_expired and expires_at is not null;
