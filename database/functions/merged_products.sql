-- Returns a product and all products merged into it, whose watches follow it.
create or replace function merged_products(root bigint) returns setof bigint language sql stable as $$
  with recursive down as (
    select root as id
    union
    select p.id from down join products p on p.merged_into = down.id
  )
  select id from down
$$;
