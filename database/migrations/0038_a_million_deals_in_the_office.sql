-- Deal management with a million deals: a page reads only its own rows. `deals_managed` contains the columns for
-- filters and counts. So does the title index, which searches use too. It has `title` beside `lower(title)`, because
-- the planner reads an expression from an index only if the index also contains its columns. Titles are sorted by
-- code point on every server, which takes half the time.
drop index deals_managed_title;
create index deals_managed_title on deals (lower(title) collate "C", id)
  include (title, created_at, sale_price, merchant_id, category_id, is_active, is_featured, is_expired, is_demo, availability);

-- Pages are located by counts per day, first letter, state and price step. Statistics tell the planner that these
-- groups are few, so that it uses parallel workers.
create statistics deals_created_days on (date_bin('1 day', created_at, timestamptz '2000-01-01 00:00+00')) from deals;
create statistics deals_title_letters on (left(lower(title) collate "C", 1)) from deals;
create statistics deals_state_days
  on ((date_part('epoch', created_at) / 86400)::integer + is_active::integer * 10000000) from deals;
create statistics deals_price_steps on (sale_price / 500) from deals;

-- The statistics on the cards of deal management, maintained like `live_deals`.
insert into site_counters (name, value)
  select name, value
    from (select count(*) as all_deals, count(*) filter (where is_active) as active_deals,
                 count(*) filter (where is_featured) as featured_deals, count(*) filter (where is_expired) as expired_deals
            from deals) counted,
         lateral (values ('all_deals', all_deals), ('active_deals', active_deals), ('featured_deals', featured_deals),
                         ('expired_deals', expired_deals)) as figures (name, value);
