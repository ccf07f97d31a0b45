-- Queues push messages for emailed alerts, with the same cooldown and limit of ten a day. Alerts
-- that are not emailed are not pushed either.
create or replace function price_alert_events_push() returns trigger language plpgsql as $$
begin
  insert into push_outbox (key, subscription_id, event_id, due_at)
    select e.mail_key || ':' || s.id, s.id, e.id, coalesce(m.due_at, now())
      from new_rows e join push_subscriptions s on s.user_id = e.user_id
      left join mail_outbox m on m.key = e.mail_key
     where e.mail_state = 'queued'
  on conflict (key) do nothing;
  return null;
end $$;
