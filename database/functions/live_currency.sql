-- Returns the currency in which deals go live, or null while the site's currency changes.
create or replace function live_currency() returns text language sql stable as $$
  select case when not exists (select from site_settings where name = 'nextCurrency' and value #>> '{}' <> '') then site_currency() end
$$;
