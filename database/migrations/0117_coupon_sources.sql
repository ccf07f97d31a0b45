-- A feed of coupons can be fetched on a schedule, like a feed of products.
alter table feed_sources add column content text not null default 'deals' check (content in ('deals', 'coupons'));
