-- Lines of the price log are deleted only with their deal, never alone.
create function price_log_keep_lines() returns trigger language plpgsql as $$
begin
  if coalesce(current_setting('deal_hub.restoring_deal', true), '') <> 'on'
     and exists (select from old_rows o join deals d on d.id = o.deal_id) then
    raise exception 'price_log is append-only';
  end if;
  return null;
end $$;
create trigger price_log_keep_lines after delete on price_log
  referencing old table as old_rows for each statement execute function price_log_keep_lines();

-- Same as in 0015, but allowed to delete lines of the log.
create or replace function restore_deal(snapshot jsonb, with_slug text) returns void language plpgsql as $$
declare of_deal bigint := (snapshot #>> '{deals,0,id}')::bigint;
begin
  perform restore_rows('deals', jsonb_set(snapshot -> 'deals', '{0,slug}', to_jsonb(with_slug)), false);
  perform set_config('deal_hub.restoring_deal', 'on', true);
  delete from price_log where deal_id = of_deal; -- The restoration has just written this line.
  perform set_config('deal_hub.restoring_deal', '', true);
  perform restore_rows('price_log', snapshot -> 'price_log');
  perform restore_rows('clicks', snapshot -> 'clicks');
  perform restore_rows('slug_redirects', snapshot -> 'slug_redirects');
  perform restore_rows('user_favorites', (select jsonb_agg(kept) from jsonb_array_elements(snapshot -> 'user_favorites') kept
    where exists (select from users where id = kept ->> 'user_id')));
  perform restore_rows('price_alerts', (select jsonb_agg(kept) from jsonb_array_elements(snapshot -> 'price_alerts') kept
    where exists (select from users where id = kept ->> 'user_id')));
  perform restore_rows('price_alert_events', (select jsonb_agg(kept) from jsonb_array_elements(snapshot -> 'price_alert_events') kept
    where exists (select from price_alerts where id = (kept ->> 'alert_id')::bigint)));
end $$;
