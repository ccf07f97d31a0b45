-- Deletes these deals, and stores them with their rows in other tables. Returns the deals that existed. If a table has more than `most`
-- rows, these are stored in deleted_deal_rows, since a snapshot has at most 256 MB.
create or replace function delete_deals(ids bigint[], as_batch uuid, actor text, most integer default 2000)
returns table (deal_id bigint, deal_title text)
language plpgsql as $$
declare
  many record;
  -- The query for each table's rows in the snapshot. `d` is the deal.
  sources jsonb := jsonb_build_object(
      'deals', 'from deals one where one.id = d.id',
      'price_log', 'from price_log one where one.deal_id = d.id order by one.id',
      'price_voids', 'from price_voids one where one.deal_id = d.id order by one.line_id',
      'moved_prices', 'from moved_prices one where one.deal_id = d.id order by one.day',
      'reduction_checks', 'from reduction_checks one where one.deal_id = d.id',
      'deal_forecasts', 'from deal_forecasts one where one.deal_id = d.id',
      'forecasts', 'from forecasts one where one.deal_id = d.id',
      'clicks', 'from clicks one where one.deal_id = d.id',
      'slug_redirects', 'from slug_redirects one where one.kind = ''deal'' and one.target_id = d.id',
      'deal_price_checks', 'from deal_price_checks one where one.deal_id = d.id',
      'import_changes', 'from import_changes one where one.deal_id = d.id',
      'import_endings', 'from import_endings one where one.deal_id = d.id',
      'product_links', 'from product_links one where one.deal_id = d.id order by one.id',
      'duplicate_dismissals', 'from duplicate_dismissals one where d.id in (one.deal_id, one.other_id)',
      'user_favorites', 'from user_favorites one where one.deal_id = d.id',
      'favorite_list_items', 'from favorite_list_items one where one.deal_id = d.id',
      'removed_favorites', 'from removed_favorites one where one.deal_id = d.id',
      'deal_reports', 'from deal_reports one where one.deal_id = d.id order by one.id',
      'price_alerts', 'from price_alerts one where one.deal_id = d.id',
      'alert_checks', 'from alert_checks one where one.deal_id = d.id',
      'watch_requests', 'from watch_requests one where one.deal_id = d.id',
      'watched_search_finds', 'from watched_search_finds one where one.deal_id = d.id',
      'price_alert_events', 'from price_alert_events one join price_alerts a on a.id = one.alert_id where a.deal_id = d.id order by one.id',
      'push_outbox', 'from push_outbox one join price_alert_events e on e.id = one.event_id join price_alerts a on a.id = e.alert_id where a.deal_id = d.id',
      'webhook_deliveries', 'from webhook_deliveries one where one.deal_id = d.id');
begin
  -- Locks these rows first, in the same order as check_alerts, to prevent deadlocks.
  perform from alert_checks c where c.deal_id = any(ids) order by c.id for update;
  perform from deals d where d.id = any(ids) order by d.id for update;
  execute (
    select 'insert into deleted_deals (batch, deal_id, deleted_by, name, snapshot) select $1, d.id, $2, d.title, jsonb_build_object('
           || string_agg(format('%L, (select case when count(*) <= $3 then coalesce(jsonb_agg(to_jsonb(one)), ''[]'') end
                                        from (select one.* %s limit $3 + 1) one)', part, source), ', ')
           || ') from deals d where d.id = any($4)'
      from jsonb_each_text(sources) as s (part, source)) using as_batch, actor, most, ids;
  -- The statement above stores null for a table with too many rows.
  for many in
    select k.id, k.deal_id as deal, p.part
      from deleted_deals k, jsonb_each(k.snapshot) as p (part, kept)
     where k.batch = as_batch and k.deal_id = any(ids) and jsonb_typeof(p.kept) = 'null'
  loop
    execute format(
      'insert into deleted_deal_rows (deleted_id, part, place, kept)
       select $1, %1$L, n / $3, jsonb_agg(one order by n)
         from (select to_jsonb(one) as one, row_number() over () - 1 as n
                 from (select one.* from deals d, lateral (select one.* %2$s) one where d.id = $2) one) numbered
        group by n / $3', many.part, sources ->> many.part) using many.id, many.deal, most;
    update deleted_deals set snapshot = jsonb_set(snapshot, array[many.part], '[]') where id = many.id;
  end loop;
  return query delete from deals d where d.id = any(ids) returning d.id, d.title;
end $$;
