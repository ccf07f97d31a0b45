-- Returns the maximum number of a deal's alerts that are evaluated in the statement of its price
-- change. Their evaluation takes about 40 ms. Tests use another number.
create or replace function alerts_at_once() returns integer language sql stable as $$
  select coalesce(nullif(current_setting('app.alerts_at_once', true), '')::integer, 500)
$$;
