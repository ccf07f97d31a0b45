-- Restores a deleted deal with everything that delete_deals stored, except rows of users deleted
-- since. If the deal's external id is taken, or its merchant or category is gone, a constraint
-- fails. `more` is the id of the deletion whose other rows were too large for the snapshot.
create or replace function restore_deal(snapshot jsonb, with_slug text, more bigint default null) returns void
language plpgsql as $$
declare
  of_deal bigint := (snapshot #>> '{deals,0,id}')::bigint;
  source bigint := (select id from feed_sources where id = (snapshot #>> '{deals,0,feed_source_id}')::bigint);
  -- The product may have been merged in the meantime. Unless staff confirmed it, the GTIN decides.
  product bigint := (select p from current_product((snapshot #>> '{deals,0,product_id}')::bigint) p
    where (snapshot #>> '{deals,0,product_confirmed}')::boolean
       or exists (select from product_gtins g where g.gtin = snapshot #>> '{deals,0,gtin}' and g.product_id = p));
  changed jsonb := jsonb_build_object('slug', with_slug, 'feed_source_id', source, 'product_id', product);
  one text;
  chunk jsonb;
  -- Rows stored before prices had currencies get the deletion's currency, which the caller adds to the snapshot.
  unit jsonb := jsonb_build_object('currency', coalesce(snapshot ->> 'currency', site_currency()));
begin
  snapshot := snapshot || (
    select jsonb_object_agg(part, (
             select coalesce(jsonb_agg(unit || kept), '[]') from jsonb_array_elements(coalesce(snapshot -> part, '[]')) kept))
      from unnest(array['deals', 'price_log', 'price_alerts', 'price_alert_events', 'user_favorites', 'reduction_checks', 'webhook_deliveries', 'import_changes']) part);
  perform restore_rows('deals', jsonb_build_array((snapshot #> '{deals,0}') || changed), false);
  perform set_config('deal_hub.restoring_deal', 'on', true);
  delete from price_log where deal_id = of_deal; -- The restoration has just written this line.
  perform set_config('deal_hub.restoring_deal', '', true);
  foreach one in array array['price_log', 'price_voids', 'moved_prices', 'reduction_checks', 'deal_forecasts', 'forecasts', 'clicks', 'slug_redirects', 'deal_price_checks', 'import_changes', 'import_endings',
                             'product_links', 'duplicate_dismissals', 'user_favorites', 'favorite_list_items', 'removed_favorites', 'price_alerts', 'alert_checks', 'watch_requests', 'watched_search_finds',
                             'price_alert_events', 'deal_reports'] loop
    perform restore_rows(one::regclass, snapshot -> one);
    for chunk in select r.kept from deleted_deal_rows r where r.deleted_id = more and r.part = one order by r.place loop
      perform restore_rows(one::regclass, chunk);
    end loop;
  end loop;
  -- Imported prices are not restored if their import was undone while the deal was deleted.
  perform from price_moves m where m.id in (select p.move_id from moved_prices p where p.deal_id = of_deal) order by m.id for share;
  delete from moved_prices p using price_moves m where p.deal_id = of_deal and m.id = p.move_id and m.state in ('undoing', 'undone');
  -- Triggers treat a restored deal as new and its old alerts as newly fired. The resulting messages
  -- are deleted.
  delete from push_outbox p using price_alert_events e, price_alerts a
   where e.id = p.event_id and a.id = e.alert_id and a.deal_id = of_deal;
  delete from webhook_deliveries where deal_id = of_deal;
  foreach one in array array['push_outbox', 'webhook_deliveries'] loop
    perform restore_rows(one::regclass, snapshot -> one);
    for chunk in select r.kept from deleted_deal_rows r where r.deleted_id = more and r.part = one order by r.place loop
      perform restore_rows(one::regclass, chunk);
    end loop;
  end loop;
end $$;
