-- News of a watched search can notify a browser in addition to the email.
alter table push_outbox
  alter column event_id drop not null,
  add column kind text not null default 'price-alert' check (kind in ('price-alert', 'search-news')),
  add column search_id bigint references watched_searches (id) on delete cascade,
  -- The email of the search that the push belongs to.
  add column search_mail integer,
  add constraint push_outbox_one_cause
    check (case kind when 'price-alert' then event_id is not null and search_id is null
                     else event_id is null and search_id is not null and search_mail is not null end);
create index push_outbox_search on push_outbox (search_id);
