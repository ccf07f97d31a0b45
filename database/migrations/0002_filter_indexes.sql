-- Filters that match few deals among a million must not read the million. Rare values get small partial indexes,
-- the seller, which may be rare either way, one per scope.
create index deals_live_used on deals (category_id, created_at desc, id desc) where is_active and not is_expired and status = 'used';
create index deals_live_used_merchant on deals (merchant_id) where is_active and not is_expired and status = 'used';
create index deals_live_coupon on deals (category_id, created_at desc, id desc) where is_active and not is_expired and coupon_code is not null;
create index deals_live_coupon_merchant on deals (merchant_id) where is_active and not is_expired and coupon_code is not null;
create index deals_live_featured_category on deals (category_id) where is_active and not is_expired and is_featured;
create index deals_live_featured_merchant on deals (merchant_id) where is_active and not is_expired and is_featured;
create index deals_live_expiring on deals (expires_at) where is_active and not is_expired and expires_at is not null;
create index deals_live_seller on deals (seller_type, created_at desc, id desc) where is_active and not is_expired;
create index deals_live_category_seller on deals (category_id, seller_type) where is_active and not is_expired;
create index deals_live_merchant_seller on deals (merchant_id, seller_type) where is_active and not is_expired;
create index deals_live_merchant_discount on deals (merchant_id, discount_percent desc, id desc) where is_active and not is_expired;
create index deals_live_merchant_price on deals (merchant_id, sale_price, id) where is_active and not is_expired;
