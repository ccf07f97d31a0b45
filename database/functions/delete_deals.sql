-- Deletes these deals and stores their content, including the rows of every table that depends on
-- them. Returns the deals that existed.
create or replace function delete_deals(ids bigint[], as_batch uuid, actor text) returns table (deal_id bigint, deal_title text)
language plpgsql as $$
begin
  -- Locks these rows first, in the same order as check_alerts.
  perform from alert_checks c where c.deal_id = any(ids) order by c.id for update;
  perform from deals d where d.id = any(ids) order by d.id for update;
  insert into deleted_deals as kept (batch, deal_id, deleted_by, snapshot)
    select as_batch, d.id, actor, jsonb_build_object(
      'deals', jsonb_build_array(to_jsonb(d)),
      'price_log', (select coalesce(jsonb_agg(to_jsonb(l) order by l.id), '[]') from price_log l where l.deal_id = d.id),
      'price_voids', (select coalesce(jsonb_agg(to_jsonb(v) order by v.line_id), '[]') from price_voids v where v.deal_id = d.id),
      'reduction_checks', (select coalesce(jsonb_agg(to_jsonb(c)), '[]') from reduction_checks c where c.deal_id = d.id),
      'deal_forecasts', (select coalesce(jsonb_agg(to_jsonb(f)), '[]') from deal_forecasts f where f.deal_id = d.id),
      'forecasts', (select coalesce(jsonb_agg(to_jsonb(f)), '[]') from forecasts f where f.deal_id = d.id),
      'clicks', (select coalesce(jsonb_agg(to_jsonb(c)), '[]') from clicks c where c.deal_id = d.id),
      'slug_redirects', (select coalesce(jsonb_agg(to_jsonb(r)), '[]')
         from slug_redirects r where r.kind = 'deal' and r.target_id = d.id),
      'deal_price_checks', (select coalesce(jsonb_agg(to_jsonb(c)), '[]') from deal_price_checks c where c.deal_id = d.id),
      'import_changes', (select coalesce(jsonb_agg(to_jsonb(c)), '[]') from import_changes c where c.deal_id = d.id),
      'import_endings', (select coalesce(jsonb_agg(to_jsonb(e)), '[]') from import_endings e where e.deal_id = d.id),
      'duplicate_dismissals', (select coalesce(jsonb_agg(to_jsonb(o)), '[]')
         from duplicate_dismissals o where d.id in (o.deal_id, o.other_id)),
      'user_favorites', (select coalesce(jsonb_agg(to_jsonb(f)), '[]') from user_favorites f where f.deal_id = d.id),
      'deal_reports', (select coalesce(jsonb_agg(to_jsonb(r) order by r.id), '[]') from deal_reports r where r.deal_id = d.id),
      'price_alerts', (select coalesce(jsonb_agg(to_jsonb(a)), '[]') from price_alerts a where a.deal_id = d.id),
      'alert_checks', (select coalesce(jsonb_agg(to_jsonb(c)), '[]') from alert_checks c where c.deal_id = d.id),
      'watch_requests', (select coalesce(jsonb_agg(to_jsonb(r)), '[]') from watch_requests r where r.deal_id = d.id),
      'watched_search_finds', (select coalesce(jsonb_agg(to_jsonb(f)), '[]') from watched_search_finds f where f.deal_id = d.id),
      'price_alert_events', (select coalesce(jsonb_agg(to_jsonb(e) order by e.id), '[]')
         from price_alert_events e join price_alerts a on a.id = e.alert_id where a.deal_id = d.id),
      'push_outbox', (select coalesce(jsonb_agg(to_jsonb(p)), '[]')
         from push_outbox p join price_alert_events e on e.id = p.event_id join price_alerts a on a.id = e.alert_id
        where a.deal_id = d.id),
      'webhook_deliveries', (select coalesce(jsonb_agg(to_jsonb(w)), '[]') from webhook_deliveries w where w.deal_id = d.id))
      from deals d where d.id = any(ids);
  return query delete from deals d where d.id = any(ids) returning d.id, d.title;
end $$;
