create or replace function is_webhook_wanted(of_event text) returns boolean language sql stable as $$
  select exists (select from webhook_endpoints where is_active and of_event = any (events))
$$;
