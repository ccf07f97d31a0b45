-- Logs, counts and announces changes of deals. Uses a full join of new and old rows, the only join that is never a nested loop. A
-- connection caches the plan of its first change, and a plan made for one deal took 20 s for four thousand. A price restored by a rollback
-- is not logged again if the newest valid line already contains it. Changes that no page shows, such as a held price or the importing run,
-- are not announced.
create or replace function deals_after_update() returns trigger language plpgsql as $$
declare changed bigint[]; left_products bigint[]; hides boolean;
begin
  insert into price_log (deal_id, sale_price, original_price, availability, source, import_run_id, currency)
    select n.id, n.sale_price, n.original_price, n.availability, n.price_source, current_import_run(), n.currency
      from (select n.* from new_rows n full join old_rows o on o.id = n.id
             where (n.sale_price, n.original_price, n.availability, n.currency) is distinct from (o.sale_price, o.original_price, o.availability, o.currency)
            offset 0) n
      join merchants m on m.id = n.merchant_id
     where m.keep_history and (current_setting('app.undoes_import', true) is distinct from 'on' or not exists (
       select from (select * from valid_prices l where l.deal_id = n.id order by l.at desc, l.id desc limit 1) newest
        where (newest.sale_price, newest.original_price, newest.availability)
                is not distinct from (n.sale_price, n.original_price, n.availability)));
  perform apply_deal_counts((select coalesce(jsonb_agg(jsonb_build_object('category_id', category_id, 'merchant_id', merchant_id, 'n', n)), '[]')
    from (select category_id, merchant_id, sum(n) as n from (
      select category_id, merchant_id, 1 as n from new_rows where is_active and not is_expired
      union all
      select category_id, merchant_id, -1 from old_rows where is_active and not is_expired) s
      group by 1, 2 having sum(n) <> 0) c));
  perform add_to_counters((select jsonb_build_object('active_deals', sum(n) filter (where is_active),
      'featured_deals', sum(n) filter (where is_featured), 'expired_deals', sum(n) filter (where is_expired))
    from (select 1 as n, is_active, is_featured, is_expired from new_rows
      union all select -1, is_active, is_featured, is_expired from old_rows) s));
  select array_agg(n.id), bool_or(o.is_active and not n.is_active) into changed, hides
    from new_rows n full join old_rows o on o.id = n.id
    where (n.slug, n.title, n.description, n.image_url, n.sale_price, n.original_price, n.coupon_code, n.expires_at,
           n.is_expired, n.deal_url, n.is_active, n.is_featured, n.status, n.condition, n.seller_type, n.availability,
           n.category_id, n.merchant_id, n.brand, n.gtin, n.net_contents, n.shipping_cost, n.product_id, n.low_30_before, n.reference_price, n.price_since, n.price_checked_at, n.created_at, n.currency)
      is distinct from
          (o.slug, o.title, o.description, o.image_url, o.sale_price, o.original_price, o.coupon_code, o.expires_at,
           o.is_expired, o.deal_url, o.is_active, o.is_featured, o.status, o.condition, o.seller_type, o.availability,
           o.category_id, o.merchant_id, o.brand, o.gtin, o.net_contents, o.shipping_cost, o.product_id, o.low_30_before, o.reference_price, o.price_since, o.price_checked_at, o.created_at, o.currency);
  with moved as (
    select n.id, n.gtin, o.gtin as old_gtin, n.product_id, o.product_id as old_product,
           case when o.product_confirmed and n.product_id is null and n.gtin <> o.gtin then o.gtin end as returns_with,
           (n.gtin, n.brand, n.title) is distinct from (o.gtin, o.brand, o.title) as is_other
      from new_rows n full join old_rows o on o.id = n.id
     where (n.gtin, n.brand, n.title, n.product_id) is distinct from (o.gtin, o.brand, o.title, o.product_id)
  ), logged as (
    insert into product_links (deal_id, from_product, to_product, returns_with, actor, act_id)
      select id, old_product, product_id, returns_with,
             nullif(current_setting('app.links_products', true), ''), nullif(current_setting('app.product_act', true), '')::bigint
        from moved where product_id is distinct from old_product order by id
    returning from_product
  ), queued as (
    insert into match_checks (gtin)
      select distinct one from moved, unnest(array[gtin, old_gtin]) one where is_other and one is not null order by 1
  )
  select array_agg(distinct from_product) into left_products from logged where from_product is not null;
  insert into suggestion_checks (deal_id)
    select n.id from new_rows n full join old_rows o on o.id = n.id
     where (n.gtin, n.mpn, n.item_group_id, n.brand, n.title, n.merchant_id, n.product_id, n.is_active and not n.is_expired)
             is distinct from (o.gtin, o.mpn, o.item_group_id, o.brand, o.title, o.merchant_id, o.product_id, o.is_active and not o.is_expired)
     order by n.id;
  perform announce_deals(changed, not hides);
  perform announce_products(left_products);
  if cardinality(changed) between 1 and 200 then
    -- A new price changes only lists sorted or filtered by price. If a deal's category or store changes, the former one's lists are
    -- announced, too.
    perform announce_lists((select jsonb_agg(jsonb_build_object('kind', kind, 'category', category, 'merchant', merchant))
      from new_rows n join old_rows o on o.id = n.id,
           lateral (values (o.is_active, o.category_id, o.merchant_id), (n.is_active, n.category_id, n.merchant_id))
             place (is_shown, category, merchant),
           lateral (
             select 'deals' where (n.is_active, n.is_expired, n.expires_at, n.created_at, n.category_id, n.merchant_id, n.traits, n.condition, n.brand, n.net_contents, n.product_id)
               is distinct from (o.is_active, o.is_expired, o.expires_at, o.created_at, o.category_id, o.merchant_id, o.traits, o.condition, o.brand, o.net_contents, o.product_id)
             union all
             select 'prices' where (n.sale_price, n.availability, n.discount_percent, n.discount_amount, n.observed_percent, n.checked_percent, n.price_checked_at)
               is distinct from (o.sale_price, o.availability, o.discount_percent, o.discount_amount, o.observed_percent, o.checked_percent, o.price_checked_at)
           ) moved (kind)
     where n.id = any(changed) and is_shown));
  end if;
  return null;
end $$;
