-- Queues watched products whose offers changed. check_products compares the offers. A price that
-- staff typed is compared only once it can no longer be undone.
create or replace function deals_check_products() returns trigger language plpgsql as $$
declare ids bigint[];
begin
  if tg_op = 'INSERT' then ids := array(select distinct product_id from new_rows where product_id is not null);
  elsif tg_op = 'DELETE' then ids := array(select distinct product_id from old_rows where product_id is not null);
  else
    ids := array(
      select distinct one
        from (select n.product_id, o.product_id as old_product
                from new_rows n full join old_rows o on o.id = n.id -- a full join: see deals_after_update
               where num_nonnulls(n.product_id, o.product_id) > 0
                 and (n.product_id, n.sale_price, n.shipping_cost, n.availability, n.is_active, n.is_expired, n.expires_at, n.status, n.condition, n.merchant_id)
                       is distinct from
                     (o.product_id, o.sale_price, o.shipping_cost, o.availability, o.is_active, o.is_expired, o.expires_at, o.status, o.condition, o.merchant_id)
              offset 0) moved,
             unnest(array[product_id, old_product]) one
       where one is not null);
  end if;
  insert into product_checks (product_id, due_at)
    select changed, now() + staff_wait() from unnest(ids) changed
     where exists (select from product_lows l where l.product_id = changed)
        or exists (select from watched_searches s where s.product_id = changed)
     order by changed;
  return null;
end $$;
