-- Queues a product for its watches after a merge, or after a merge is undone.
create or replace function products_check_merged() returns trigger language plpgsql as $$
begin
  insert into product_checks (product_id) values (new.id);
  return null;
end $$;
