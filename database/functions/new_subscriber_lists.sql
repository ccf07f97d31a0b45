-- Returns the default lists for a new subscriber, for sign-ups that name none.
create or replace function new_subscriber_lists() returns integer[] language sql stable as $$
  select coalesce(array_agg(id::integer order by id), '{}') from newsletter_lists where is_joined and retired_at is null
$$;
