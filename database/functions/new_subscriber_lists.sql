-- Returns the lists that a new subscriber is on, unless the sign-up names others.
create or replace function new_subscriber_lists() returns integer[] language sql stable as $$
  select coalesce(array_agg(id::integer order by id), '{}') from newsletter_lists where is_joined and retired_at is null
$$;
