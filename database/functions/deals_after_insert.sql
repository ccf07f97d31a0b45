-- Writes the first line of the price log, the counters and the announcements of new deals.
create or replace function deals_after_insert() returns trigger language plpgsql as $$
begin
  insert into price_log (deal_id, at, sale_price, original_price, availability, source, import_run_id, currency)
    select d.id, d.price_since, d.sale_price, d.original_price, d.availability, d.price_source, current_import_run(), d.currency
      from new_rows d join merchants m on m.id = d.merchant_id
     where m.keep_history and d.price_source <> 'demo'; -- The demo shop writes its own history.
  insert into match_checks (gtin) select distinct gtin from new_rows where gtin is not null order by 1;
  insert into suggestion_checks (deal_id) select id from new_rows where is_active and not is_expired order by id;
  perform apply_deal_counts((select coalesce(jsonb_agg(jsonb_build_object('category_id', category_id, 'merchant_id', merchant_id, 'n', n)), '[]')
    from (select category_id, merchant_id, count(*) as n from new_rows where is_active and not is_expired group by 1, 2) c));
  perform add_to_counters((select jsonb_build_object('all_deals', count(*), 'active_deals', count(*) filter (where is_active),
    'featured_deals', count(*) filter (where is_featured), 'expired_deals', count(*) filter (where is_expired)) from new_rows));
  perform announce_deals((select array_agg(id) from new_rows), true);
  perform announce_lists((select jsonb_agg(jsonb_build_object('kind', 'deals', 'category', category_id, 'merchant', merchant_id))
    from new_rows where is_active having count(*) <= 200));
  return null;
end $$;
