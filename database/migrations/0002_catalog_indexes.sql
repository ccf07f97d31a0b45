-- Filtered lists must cost the same with a million deals as with 10,000. `traits` combines the yes-or-no filters into
-- one number that can be the first column of an index. Every list index contains the filter columns, so that rows
-- that do not match are skipped within the index.

-- Bits: 1 used, 2 third-party seller, 4 has a coupon, 8 featured.
alter table deals add column traits smallint not null generated always as (
  ((status = 'used')::int + 2 * (seller_type = 'third_party')::int
    + 4 * (coalesce(coupon_code, '') <> '')::int + 8 * is_featured::int)::smallint) stored;

-- Indexes in list order, for filters that match so many deals that a page fills quickly.
drop index deals_live_newest, deals_live_discount, deals_live_observed, deals_live_price, deals_live_category_newest,
  deals_live_category_discount, deals_live_category_price, deals_live_merchant_newest;
create index deals_live_newest on deals (created_at desc, id desc)
  include (expires_at, traits, sale_price, merchant_id) where is_active and not is_expired;
create index deals_live_discount on deals (discount_percent desc, id desc)
  include (expires_at, traits, sale_price, merchant_id) where is_active and not is_expired;
create index deals_live_observed on deals (observed_percent desc, id desc)
  include (expires_at, traits, sale_price, category_id, merchant_id) where is_active and not is_expired;
create index deals_live_price on deals (sale_price, id)
  include (expires_at, traits, created_at, discount_percent, observed_percent, merchant_id) where is_active and not is_expired;
create index deals_live_category_newest on deals (category_id, created_at desc, id desc)
  include (expires_at, traits, sale_price, merchant_id) where is_active and not is_expired;
create index deals_live_category_discount on deals (category_id, discount_percent desc, id desc)
  include (expires_at, traits, sale_price, merchant_id) where is_active and not is_expired;
create index deals_live_category_price on deals (category_id, sale_price, id)
  include (expires_at, traits, created_at, discount_percent, observed_percent, merchant_id) where is_active and not is_expired;
create index deals_live_merchant_newest on deals (merchant_id, created_at desc, id desc)
  include (expires_at, traits, sale_price, category_id) where is_active and not is_expired;

-- Indexes by filter, to find and count a few deals among a million.
create index deals_live_traits on deals (traits, sale_price, id)
  include (expires_at, created_at, discount_percent, observed_percent, category_id, merchant_id) where is_active and not is_expired;
create index deals_live_category_traits on deals (category_id, traits, sale_price, id)
  include (expires_at, created_at, discount_percent, observed_percent, merchant_id) where is_active and not is_expired;
create index deals_live_merchant_traits on deals (merchant_id, traits, sale_price, id)
  include (expires_at, created_at, discount_percent, observed_percent, category_id) where is_active and not is_expired;
create index deals_live_expiring on deals (expires_at)
  include (traits, sale_price, id, created_at, discount_percent, observed_percent, category_id, merchant_id)
  where is_active and not is_expired and expires_at is not null;

-- Expired deals have only one sort order: newest first.
drop index deals_expired_newest, deals_expired_category, deals_expired_merchant;
create index deals_expired_newest on deals (created_at desc, id desc)
  include (traits, sale_price, merchant_id) where is_active and is_expired;
create index deals_expired_category on deals (category_id, created_at desc, id desc)
  include (traits, sale_price, merchant_id) where is_active and is_expired;
create index deals_expired_merchant on deals (merchant_id, created_at desc, id desc)
  include (traits, sale_price, category_id) where is_active and is_expired;
create index deals_expired_traits on deals (traits, sale_price, id)
  include (created_at, category_id, merchant_id) where is_active and is_expired;
