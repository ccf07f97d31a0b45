-- The back office's list of a million deals. Its two indexes carry all that it is filtered by, searched in and counted by,
-- so that no page of it reads the rows of others. A search reads `lower(title)` out of the index; `title` is in there
-- as well since the planner takes an expression from an index only where its columns are in it, too. Titles are in
-- the order of their code points on every server, which compares them in half the time. They come in any order: room
-- is left among them.
drop index deals_managed, deals_managed_title;
create index deals_managed on deals (created_at desc, id desc, lower(title) collate "C")
  include (title, sale_price, merchant_id, category_id, is_active, is_featured, is_expired, is_demo, availability);
create index deals_managed_title on deals (lower(title) collate "C", id)
  include (title, merchant_id, category_id, is_active, is_featured, is_expired, is_demo, availability)
  with (fillfactor = 80);

-- Pages are found by counts of days, first letters and steps of prices. That those are few says whether several processes
-- count them.
create statistics deals_created_days on (date_bin('1 day', created_at, timestamptz '2000-01-01 00:00+00')) from deals;
create statistics deals_title_letters on (left(lower(title) collate "C", 1)) from deals;
create statistics deals_price_steps on (sale_price / 500) from deals;

-- What its cards say, kept as `live_deals` is.
insert into site_counters (name, value)
  select name, value
    from (select count(*) as all_deals, count(*) filter (where is_active) as active_deals,
                 count(*) filter (where is_featured) as featured_deals, count(*) filter (where is_expired) as expired_deals
            from deals) counted,
         lateral (values ('all_deals', all_deals), ('active_deals', active_deals), ('featured_deals', featured_deals),
                         ('expired_deals', expired_deals)) as figures (name, value);
