-- Returns the services that are notified of changes. Triggers thus read the settings once, and do
-- nothing for sites without such services. Null if there is none.
create or replace function discovery_on() returns text[] language sql stable as $$
  select array_agg(case name when 'indexNow' then 'indexnow' else 'websub' end order by name) from site_settings
   where (name = 'indexNow' and value = 'true') or (name = 'webSubHub' and value <> '""')
$$;
