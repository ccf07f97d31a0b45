-- A list or search can be watched without an account once the email address is confirmed.
alter table watch_requests
  -- The list's URL and name, as in watched_searches. null for a price alert.
  add column search_address text check (length(search_address) <= 1000),
  add column search_name text check (length(search_name) <= 400),
  add column cadence text check (cadence in ('at_once', 'daily', 'weekly')),
  add constraint watch_requests_one_wish
    check (case when search_address is null then deal_id is not null and kind is not null
                else deal_id is null and kind is null and search_name is not null and cadence is not null end);
