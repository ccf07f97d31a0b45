-- News of a watched search may reach a browser, beside their mail (decision record 068).
alter table push_outbox
  alter column event_id drop not null,
  add column kind text not null default 'price-alert' check (kind in ('price-alert', 'search-news')),
  add column search_id bigint references watched_searches (id) on delete cascade,
  -- Which mail of the search it goes with.
  add column search_mail integer,
  add constraint push_outbox_one_cause
    check (case kind when 'price-alert' then event_id is not null and search_id is null
                     else event_id is null and search_id is not null and search_mail is not null end);
create index push_outbox_search on push_outbox (search_id);
