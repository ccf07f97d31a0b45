-- Compares the offers of up to `most` queued products, and stores the lows that changed.
-- spread_lows notifies the watches of a low that fell. Returns the number of processed rows of the
-- queue. The result depends only on the present offers, so a kill or a repetition changes nothing.
create or replace function check_products(most integer) returns integer language plpgsql as $$
declare
  taken product_checks[];
  ids bigint[];
  one product_checks;
begin
  with due as (
    select id from product_checks where due_at <= now() order by due_at, id limit most for update skip locked
  ), gone as (
    delete from product_checks c using due where c.id = due.id returning c.id, c.product_id, c.search_id, c.due_at)
  select array_agg(row (g.id, current_product(g.product_id), g.search_id, g.due_at)::product_checks order by g.id) into taken from gone g;
  if taken is null then return 0; end if;
  ids := array(select distinct t.product_id from unnest(taken) t);
  -- Only one process at a time compares a product.
  perform from products p where p.id = any(ids) order by p.id for no key update;

  insert into product_lows (product_id, offer_class, with_shipping, deal_id, total, former, line_id, done_to)
    select k.product_id, k.offer_class, k.with_shipping, best.id, best.total,
           case when newest.done_to is null then newest.total else newest.former end,
           (select v.id from valid_prices v where v.deal_id = best.id order by v.at desc, v.id desc limit 1),
           -- If not all watches of a fall are notified yet, the rest are notified of the new price.
           case when best.total < coalesce(newest.total, 2147483647) or best.total > 0 and newest.done_to is not null then 0 end
      from (select p.id as product_id, c.name as offer_class, s.counts as with_shipping
              from products p, (values ('new'), ('refurbished'), ('used')) c (name), (values (true), (false)) s (counts)
             where p.id = any(ids) and exists (
               select from merged_products(p.id) m (id) join watched_searches w on w.product_id = m.id
                where w.offer_class = c.name and w.with_shipping = s.counts and w.is_active)) k
      left join lateral (
        select l.id, l.former, l.done_to,
               -- A mistaken price must not hide a later fall.
               case when not exists (select from price_voids v where v.line_id = l.line_id) then l.total end as total
          from product_lows l
         where l.product_id = k.product_id and l.offer_class = k.offer_class and l.with_shipping = k.with_shipping
         order by l.id desc limit 1) newest on true
      left join lateral (
        select d.id, d.sale_price + case when k.with_shipping then cost.shipping else 0 end as total
          from deals d
          join merchants m on m.id = d.merchant_id
         cross join lateral (
           select coalesce(d.shipping_cost, case when d.sale_price >= m.free_shipping_over then 0 end, m.standard_shipping) as shipping) cost
         where d.product_id = k.product_id and d.is_active and not d.is_expired and (d.expires_at is null or d.expires_at > now())
           and d.availability <> 'out_of_stock' and d.currency = site_currency()
           -- Excludes stores that want old prices hidden, since emails contain prices but are read
           -- hours later.
           and m.allow_alerts and m.hide_price_after_hours is null
           and k.offer_class = case when d.status = 'new' then 'new' when d.condition = 'refurbished' then 'refurbished' else 'used' end
           and (not k.with_shipping or cost.shipping is not null)
         order by 2, d.price_checked_at desc, d.id limit 1) best on true
     where newest.id is null or best.total is distinct from newest.total
     order by 1, 2, 3;

  foreach one in array taken loop
    continue when one.search_id is null;
    perform tell_of_low(l.id, array[one.search_id])
       from watched_searches s
      cross join lateral (
        select n.id, n.total from product_lows n
         where n.product_id = one.product_id and n.offer_class = s.offer_class and n.with_shipping = s.with_shipping
         order by n.id desc limit 1) l
      where s.id = one.search_id and l.total is not null;
  end loop;
  return cardinality(taken);
end $$;
