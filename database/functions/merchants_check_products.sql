-- Queues watched products whose totals depend on the changed rules of a store.
create or replace function merchants_check_products() returns trigger language plpgsql as $$
begin
  insert into product_checks (product_id)
    select distinct d.product_id
      from new_rows n join old_rows o on o.id = n.id
      join deals d on d.merchant_id = n.id and d.product_id in (select product_id from product_lows)
     where (n.standard_shipping, n.free_shipping_over, n.allow_alerts, n.hide_price_after_hours)
             is distinct from (o.standard_shipping, o.free_shipping_over, o.allow_alerts, o.hide_price_after_hours)
     order by 1;
  return null;
end $$;
