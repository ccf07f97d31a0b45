-- Returns the product that this one was finally merged into, or this one if it was not merged.
create or replace function current_product(of_id bigint) returns bigint language sql stable as $$
  with recursive way as (
    select id, merged_into from products where id = of_id
    union all
    select p.id, p.merged_into from way join products p on p.id = way.merged_into
  )
  select id from way where merged_into is null
$$;
