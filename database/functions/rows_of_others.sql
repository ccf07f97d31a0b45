-- Returns the rows that belong to neither this user nor this address.
create or replace function rows_of_others(kept jsonb, person text, address text) returns jsonb language sql immutable as $$
  select case when jsonb_typeof(kept) <> 'array' then kept else (
    select coalesce(jsonb_agg(one), '[]') from jsonb_array_elements(kept) one
     where not coalesce(one ->> 'user_id' = person, false) and not coalesce(lower(one ->> 'email') = lower(address), false)) end
$$;
