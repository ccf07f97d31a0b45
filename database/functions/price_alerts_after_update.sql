-- Uses a full join (see deals_after_update), because a batch changes 2,000 rows.
create or replace function price_alerts_after_update() returns trigger language plpgsql as $$
begin
  perform price_alerts_fire_met((select array_agg(n.id) from new_rows n full join old_rows o on o.id = n.id
    where coalesce(n.is_active and n.kind = 'target'
      and (not o.is_active or n.kind <> o.kind or n.currency <> o.currency or n.target_price is distinct from o.target_price), false)));
  return null;
end $$;
