-- Coupon feeds can be fetched on a schedule, like product feeds.
alter table feed_sources add column content text not null default 'deals' check (content in ('deals', 'coupons'));
