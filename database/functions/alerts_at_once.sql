-- Returns how many of a deal's alerts are judged in the statement that changes its price, which
-- takes about 40 ms. Tests set another number.
create or replace function alerts_at_once() returns integer language sql stable as $$
  select coalesce(nullif(current_setting('app.alerts_at_once', true), '')::integer, 500)
$$;
