-- Returns the product that a product was merged into, or the product itself.
create or replace function root_product(of_product bigint) returns bigint language sql stable as $$
  with recursive up as (
    select id, merged_into from products where id = of_product
    union
    select p.id, p.merged_into from up join products p on p.id = up.merged_into
  )
  select coalesce((select id from up where merged_into is null), of_product)
$$;
