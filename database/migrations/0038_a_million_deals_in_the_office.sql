-- The back office's list of a million deals: no page of it reads the rows of others. `deals_managed` has what filters and counts
-- read; the index of titles has that too, and is searched. It has `title` beside `lower(title)` since the planner takes an
-- expression from an index only where its columns are in it, too. Titles are in the order of their code points on every
-- server, which compares them in half the time.
drop index deals_managed_title;
create index deals_managed_title on deals (lower(title) collate "C", id)
  include (title, created_at, sale_price, merchant_id, category_id, is_active, is_featured, is_expired, is_demo, availability);

-- Pages are found by counts of days, first letters, states and steps of prices. That those are few says whether several processes
-- count them.
create statistics deals_created_days on (date_bin('1 day', created_at, timestamptz '2000-01-01 00:00+00')) from deals;
create statistics deals_title_letters on (left(lower(title) collate "C", 1)) from deals;
create statistics deals_state_days
  on ((date_part('epoch', created_at) / 86400)::integer + is_active::integer * 10000000) from deals;
create statistics deals_price_steps on (sale_price / 500) from deals;

-- What its cards say, kept as `live_deals` is.
insert into site_counters (name, value)
  select name, value
    from (select count(*) as all_deals, count(*) filter (where is_active) as active_deals,
                 count(*) filter (where is_featured) as featured_deals, count(*) filter (where is_expired) as expired_deals
            from deals) counted,
         lateral (values ('all_deals', all_deals), ('active_deals', active_deals), ('featured_deals', featured_deals),
                         ('expired_deals', expired_deals)) as figures (name, value);
