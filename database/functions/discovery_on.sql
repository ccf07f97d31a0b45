-- Returns the services that are notified of changes. Triggers call this to read the settings once,
-- and do nothing on sites without such services. Returns null if there is none.
create or replace function discovery_on() returns text[] language sql stable as $$
  select array_agg(case name when 'indexNow' then 'indexnow' else 'websub' end order by name) from site_settings
   where (name = 'indexNow' and value = 'true') or (name = 'webSubHub' and value <> '""')
$$;
