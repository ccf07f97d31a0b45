-- Lists show a product only once, so their indexes include the product. The product index includes the filter
-- columns.
drop index deals_product,
  deals_live_newest,
  deals_live_category_newest,
  deals_live_category_price,
  deals_live_category_checked,
  deals_live_category_traits,
  deals_live_category_expiring,
  deals_live_checked,
  deals_live_discount,
  deals_live_observed,
  deals_live_price,
  deals_live_traits,
  deals_live_expiring,
  deals_expired_newest,
  deals_expired_category,
  deals_expired_traits;
create index deals_live_newest on deals (created_at desc, id desc) include (expires_at, traits, sale_price, merchant_id, product_id)
  where is_active and not is_expired;
create index deals_live_category_newest on deals (category_id, created_at desc, id desc) include (expires_at, traits, sale_price, merchant_id, product_id)
  where is_active and not is_expired;
create index deals_live_category_price on deals (category_id, sale_price, id) include (expires_at, traits, created_at, discount_percent, observed_percent, checked_percent, merchant_id, product_id)
  where is_active and not is_expired;
create index deals_live_category_checked on deals (category_id, checked_percent desc, id desc) include (expires_at, traits, sale_price, merchant_id, product_id)
  where is_active and not is_expired;
create index deals_live_category_traits on deals (category_id, traits, sale_price, id) include (expires_at, created_at, discount_percent, observed_percent, checked_percent, merchant_id, product_id)
  where is_active and not is_expired;
create index deals_live_category_expiring on deals (category_id, expires_at) include (traits, sale_price, merchant_id, product_id)
  where is_active and not is_expired and expires_at is not null;
create index deals_live_checked on deals (checked_percent desc, id desc) include (expires_at, traits, sale_price, merchant_id, product_id)
  where is_active and not is_expired;
create index deals_live_discount on deals (discount_percent desc, id desc) include (expires_at, traits, sale_price, category_id, merchant_id, product_id)
  where is_active and not is_expired;
create index deals_live_observed on deals (observed_percent desc, id desc) include (expires_at, traits, sale_price, category_id, merchant_id, product_id)
  where is_active and not is_expired;
create index deals_live_price on deals (sale_price, id) include (expires_at, traits, created_at, discount_percent, observed_percent, checked_percent, merchant_id, product_id)
  where is_active and not is_expired;
create index deals_live_traits on deals (traits, sale_price, id) include (expires_at, created_at, discount_percent, observed_percent, checked_percent, category_id, merchant_id, product_id)
  where is_active and not is_expired;
create index deals_live_expiring on deals (expires_at) include (traits, sale_price, id, created_at, discount_percent, observed_percent, checked_percent, category_id, merchant_id, product_id)
  where is_active and not is_expired and expires_at is not null;
create index deals_expired_newest on deals (created_at desc, id desc) include (traits, sale_price, merchant_id, product_id)
  where is_active and is_expired;
create index deals_expired_category on deals (category_id, created_at desc, id desc) include (traits, sale_price, merchant_id, product_id)
  where is_active and is_expired;
create index deals_expired_traits on deals (traits, sale_price, id) include (created_at, category_id, merchant_id, product_id)
  where is_active and is_expired;
create index deals_product on deals (product_id) include (id, created_at, is_active, is_expired, expires_at, traits, sale_price, category_id, merchant_id)
  where product_id is not null;
