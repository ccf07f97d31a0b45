create or replace function price_alerts_after_insert() returns trigger language plpgsql as $$
begin
  perform price_alerts_fire_met((select array_agg(id) from new_rows where is_active and kind = 'target'));
  return null;
end $$;
