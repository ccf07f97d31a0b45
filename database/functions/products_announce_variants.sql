-- Invalidates pages that link a product as a variant. These pages have the tag of the main product.
create or replace function products_announce_variants() returns trigger language plpgsql as $$
begin
  perform announce_products((
    select array_agg(distinct id) from (
      select unnest(array[n.id, n.variant_of, o.variant_of])
        from new_rows n join old_rows o on o.id = n.id
       where (n.slug, n.title, n.variant_of, n.variant_label) is distinct from (o.slug, o.title, o.variant_of, o.variant_label)
    ) changed (id) where id is not null));
  return null;
end $$;
