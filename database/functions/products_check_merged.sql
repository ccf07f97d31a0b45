-- Queues a product that was merged, or is one of its own again, since its watches follow it.
create or replace function products_check_merged() returns trigger language plpgsql as $$
begin
  insert into product_checks (product_id) values (new.id);
  return null;
end $$;
