-- Returns the currency of new prices from the settings.
create or replace function site_currency() returns text language sql stable as $$
  select coalesce((select value #>> '{}' from site_settings where name = 'currency' and value #>> '{}' ~ '^[A-Z]{3}$'), 'USD')::text
$$;
