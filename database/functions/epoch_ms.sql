-- Returns milliseconds since 1970.
create or replace function epoch_ms(moment timestamptz) returns bigint
language sql stable parallel safe as $$
  select floor(extract(epoch from moment) * 1000)::bigint
$$;
