-- Counters of accounts and subscriptions, maintained like those of deals. Until now, the admin read all rows to count
-- them.
insert into site_counters (name, value)
  select name, value
    from (select count(*) as all_users, count(*) filter (where role = 'admin') as admin_users,
                 count(*) filter (where role = 'super_admin') as super_admin_users
            from users) u,
         (select count(*) as all_subscriptions, count(*) filter (where is_active) as active_subscriptions,
                 count(*) filter (where is_active and confirmed_at is not null) as confirmed_subscriptions,
                 count(unsubscribed_at) as unsubscribed_subscriptions,
                 count(*) filter (where not is_active and unsubscribed_at is null) as waiting_subscriptions
            from newsletter_subscriptions) s,
         lateral (values ('all_users', all_users), ('admin_users', admin_users), ('super_admin_users', super_admin_users),
                         ('all_subscriptions', all_subscriptions), ('active_subscriptions', active_subscriptions),
                         ('confirmed_subscriptions', confirmed_subscriptions),
                         ('unsubscribed_subscriptions', unsubscribed_subscriptions),
                         ('waiting_subscriptions', waiting_subscriptions)) as figures (name, value);

create function users_keep_counts() returns trigger language plpgsql as $$ begin return null; end $$;
create trigger users_count_inserted after insert on users
  referencing new table as new_rows for each statement execute function users_keep_counts();
create trigger users_count_updated after update on users
  referencing old table as old_rows new table as new_rows for each statement execute function users_keep_counts();
create trigger users_count_deleted after delete on users
  referencing old table as old_rows for each statement execute function users_keep_counts();

create function newsletter_subscriptions_keep_counts() returns trigger language plpgsql as $$ begin return null; end $$;
create trigger newsletter_subscriptions_count_inserted after insert on newsletter_subscriptions
  referencing new table as new_rows for each statement execute function newsletter_subscriptions_keep_counts();
create trigger newsletter_subscriptions_count_updated after update on newsletter_subscriptions
  referencing old table as old_rows new table as new_rows for each statement execute function newsletter_subscriptions_keep_counts();
create trigger newsletter_subscriptions_count_deleted after delete on newsletter_subscriptions
  referencing old table as old_rows for each statement execute function newsletter_subscriptions_keep_counts();

-- Subscriptions in the order of their list.
drop index newsletter_subscriptions_newest;
create index newsletter_subscriptions_newest on newsletter_subscriptions (subscribed_at, id);

drop function if exists apply_deal_figures(jsonb); -- replaced by add_to_counters
