insert into watched_search_finds (search_id, deal_id)
  select s.id, d.id from watched_searches s cross join unnest(s.waiting_deals) w (deal_id) join deals d on d.id = w.deal_id
on conflict do nothing;
drop table watched_filter_hits;
create index watched_searches_words on watched_searches (key_word) where is_active and key_word is not null;
drop trigger watched_searches_set_filter on watched_searches;
alter table watched_searches drop column filter_id, drop column waiting_deals;
drop table watched_filters;
alter table watch_marks drop column lot;
