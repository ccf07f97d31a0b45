-- People who watch a store get its new coupons by email, together with its new deals.
alter table coupons add column told_at timestamptz;
create index coupons_untold on coupons (id) where told_at is null;
alter table watched_searches add column waiting_coupons bigint[] not null default '{}';
drop index watched_searches_due;
create index watched_searches_due on watched_searches (next_mail_at)
  where is_active and (waiting > 0 or waiting_coupons <> '{}');
