-- Queues a new or changed watch of a product, since the current price may already meet it. A second
-- check finds prices of transactions that began before the watch and did not see it.
create or replace function watched_searches_check_product() returns trigger language plpgsql as $$
begin
  insert into product_checks (product_id, search_id, due_at)
    values (new.product_id, new.id, now()), (new.product_id, new.id, now() + interval '5 minutes');
  return null;
end $$;
