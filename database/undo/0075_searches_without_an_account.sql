alter table watch_requests
  drop constraint watch_requests_one_wish,
  drop column search_address,
  drop column search_name,
  drop column cadence;
