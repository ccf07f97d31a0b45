-- Returns the lowest price in force since a time, from `price_proofs`. A binary search is fast
-- however many steps there are.
create or replace function lowest_since(at bigint[], low integer[], since timestamptz) returns integer
language sql stable parallel safe as $$
  select nullif(low[greatest(1, width_bucket(epoch_ms(since), at))], 2147483647)
$$;
