drop trigger users_count_inserted on users;
drop trigger users_count_updated on users;
drop trigger users_count_deleted on users;
drop trigger newsletter_subscriptions_count_inserted on newsletter_subscriptions;
drop trigger newsletter_subscriptions_count_updated on newsletter_subscriptions;
drop trigger newsletter_subscriptions_count_deleted on newsletter_subscriptions;
delete from site_counters where name like '%\_users' or name like '%\_subscriptions';
drop index newsletter_subscriptions_newest;
create index newsletter_subscriptions_newest on newsletter_subscriptions (subscribed_at desc, id);
