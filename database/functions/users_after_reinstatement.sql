-- Resumes alerts that waited during the suspension, and fires those whose target is met. Alerts
-- that fired shortly before it and were not emailed are checked again: if the price still applies,
-- the email is sent; otherwise they are re-armed.
create or replace function users_after_reinstatement() returns trigger language plpgsql as $$
begin
  perform price_alerts_fire_met((select array_agg(id) from price_alerts where user_id = new.id and is_active));
  update mail_outbox set state = 'queued', last_error = null, trying_since = now(), due_at = greatest(due_at, now())
   where user_id = new.id and state = 'cancelled' and kind in ('price-alert', 'price-alert-digest')
     and created_at > old.suspended_at - interval '3 days';
  return null;
end $$;
