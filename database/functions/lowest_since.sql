-- Returns the lowest price since a time, from `price_proofs`. Uses a binary search, which is fast
-- even with many steps.
create or replace function lowest_since(at bigint[], low integer[], since timestamptz) returns integer
language sql stable parallel safe as $$
  select nullif(low[greatest(1, width_bucket(epoch_ms(since), at))], 2147483647)
$$;
