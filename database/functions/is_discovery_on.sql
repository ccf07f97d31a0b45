-- Returns whether IndexNow or WebSub is on, so that triggers do nothing for sites without them.
create or replace function is_discovery_on() returns boolean language sql stable as $$
  select exists (select from site_settings
    where (name = 'indexNow' and value = 'true') or (name = 'webSubHub' and value <> '""'))
$$;
