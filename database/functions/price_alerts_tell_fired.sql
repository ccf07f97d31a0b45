-- Queues an event with the alert's id and nothing about its owner.
create or replace function price_alerts_tell_fired() returns trigger language plpgsql as $$
begin
  if is_webhook_wanted('alert.fired') then
    insert into webhook_deliveries (endpoint_id, event, deal_id, alert_id, price, previous_price, currency)
      select e.id, 'alert.fired', a.deal_id, a.id, n.new_price, n.old_price, n.currency
        from new_rows n join price_alerts a on a.id = n.alert_id cross join webhook_endpoints e
       where e.is_active and 'alert.fired' = any (e.events)
       order by n.id, e.id;
  end if;
  return null;
end $$;
