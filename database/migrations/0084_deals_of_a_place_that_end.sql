-- Lets a category's or store's filter bar count its deals that end soon without reading other deals.
create index deals_live_category_expiring on deals (category_id, expires_at)
  include (traits, sale_price, merchant_id) where is_active and not is_expired and expires_at is not null;
create index deals_live_merchant_expiring on deals (merchant_id, expires_at)
  include (traits, sale_price, category_id) where is_active and not is_expired and expires_at is not null;
