-- Re-arms the given alerts if they fired because of the given, voided lines of the price log. Unsent emails are cancelled by deleting
-- their event, which also deletes the push messages. Sent emails no longer count as notifications of a drop. Changes of the deal after the
-- given one are still evaluated.
create or replace function arm_alerts_again(of_alerts bigint[], lines bigint[], check_id bigint default null) returns void
language plpgsql as $$
declare
  ids bigint[];
  bases integer[];
begin
  select array_agg(a.id order by a.id), array_agg(a.base_price order by a.id) into ids, bases
    from price_alerts a
   where a.id = any(of_alerts)
     and exists (select from price_alert_events e where e.alert_id = a.id and e.price_log_id = any(lines) and e.fired_at = a.fired_at);
  delete from price_alert_events e
   where e.alert_id = any(of_alerts) and e.price_log_id = any(lines)
     and not exists (select from mail_outbox m where m.key = e.mail_key and m.state = 'sent');
  if ids is null then return; end if;
  update price_alerts a
     set is_active = a.is_active or not a.repeats, fired_at = null, updated_at = now(), last_mailed_price = null,
         last_mailed_at = (select max(e.fired_at) from price_alert_events e where e.alert_id = a.id and e.mail_state in ('queued', 'digest'))
   where a.id = any(ids);
  -- Arming measures later drops from the current price, but these alerts are measured from their
  -- former price. Alerts with a target that is met have already fired again.
  update price_alerts a set base_price = coalesce(b.price, a.base_price),
                            seen_check = case when a.fired_at is null then check_id else a.seen_check end
    from unnest(ids, bases) as b (id, price) where a.id = b.id;
end $$;
