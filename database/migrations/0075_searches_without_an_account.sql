-- A list or a search may be watched with an address alone, once its mail is answered (decision record 068).
alter table watch_requests
  -- Where the list is and what it is called, as in watched_searches; of a price alert it is null.
  add column search_address text check (length(search_address) <= 1000),
  add column search_name text check (length(search_name) <= 400),
  add column cadence text check (cadence in ('at_once', 'daily', 'weekly')),
  add constraint watch_requests_one_wish
    check (case when search_address is null then deal_id is not null and kind is not null
                else deal_id is null and kind is null and search_name is not null and cadence is not null end);
