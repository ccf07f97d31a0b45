create or replace function are_channels_on() returns boolean language sql stable as $$
  select exists (select from channels where is_active)
$$;
