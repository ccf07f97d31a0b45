-- Click tables for lists and charts. The log by deal and day is unchanged.

-- Clicks by day, and by the deal's store, category and feed when it was clicked. Later moves and deletions do not
-- change past days.
create table click_days (
  kind text not null check (kind in ('site', 'category', 'merchant', 'feed')),
  place_id bigint not null, -- 0: the site, or deals without a feed
  day date not null,
  count integer not null,
  primary key (kind, place_id, day)
);
create index click_days_by_day on click_days (kind, day) include (place_id, count);

insert into click_days (kind, place_id, day, count)
  select place.kind, place.id, c.day, sum(c.count)
    from clicks c join deals d on d.id = c.deal_id,
         lateral (values ('site', 0), ('category', d.category_id), ('merchant', d.merchant_id),
                         ('feed', coalesce(d.feed_source_id, 0))) as place (kind, id)
   group by 1, 2, 3;

-- Deals with clicks in the last 30 days. A separate table, because a column of `deals` would make each click update a
-- row with twenty indexes.
create table recent_clicks (
  deal_id bigint primary key references deals (id) on delete cascade,
  count integer not null
);
create index recent_clicks_most on recent_clicks (count, deal_id);

insert into recent_clicks (deal_id, count)
  select deal_id, sum(count) from clicks where day > (now() at time zone 'UTC')::date - 30 group by deal_id;

create function clicks_keep_recent() returns trigger language plpgsql as $$ begin return null; end $$;
create trigger clicks_recent_insert after insert on clicks
  referencing new table as new_rows for each statement execute function clicks_keep_recent();
create trigger clicks_recent_update after update on clicks
  referencing new table as new_rows for each statement execute function clicks_keep_recent();
