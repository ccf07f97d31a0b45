create or replace function price_alerts_after_update() returns trigger language plpgsql as $$
begin
  perform price_alerts_fire_met((select array_agg(n.id) from new_rows n join old_rows o on o.id = n.id
    where n.is_active and n.kind = 'target'
      and (not o.is_active or n.kind <> o.kind or n.target_price is distinct from o.target_price)));
  return null;
end $$;
