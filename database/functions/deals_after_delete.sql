create or replace function deals_after_delete() returns trigger language plpgsql as $$
declare
  services text[] := discovery_on();
begin
  delete from slug_redirects where kind = 'deal' and target_id in (select id from old_rows);
  perform apply_deal_counts((select coalesce(jsonb_agg(jsonb_build_object('category_id', category_id, 'merchant_id', merchant_id, 'n', n)), '[]')
    from (select category_id, merchant_id, -count(*) as n from old_rows where is_active and not is_expired group by 1, 2) c));
  perform add_to_counters((select jsonb_build_object('all_deals', -count(*), 'active_deals', -count(*) filter (where is_active),
    'featured_deals', -count(*) filter (where is_featured), 'expired_deals', -count(*) filter (where is_expired)) from old_rows));
  perform announce_deals((select array_agg(id) from old_rows), false);
  insert into match_checks (gtin)
    select gtin from product_gtins where product_id in (select product_id from old_rows where product_id is not null) order by 1;
  perform announce_products((select array_agg(distinct product_id) from old_rows where product_id is not null));
  perform announce_lists((select jsonb_agg(jsonb_build_object('kind', 'deals', 'category', category_id, 'merchant', merchant_id))
    from old_rows where is_active having count(*) <= 200));
  if services is not null then
    perform queue_discovery(services, (select array_agg('/deals/' || slug) from old_rows where is_active), 'deals');
  end if;
  return null;
end $$;
