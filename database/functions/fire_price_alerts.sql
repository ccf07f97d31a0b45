-- Fires alerts: ends those that don't repeat, writes their history and queues their emails, all in
-- one statement. Each alert is paired with the change that fires it. Alerts of one owner for the
-- same change share an email. The email is due a day after the owner's last one, or at the time of
-- an email that is already waiting. Alerts of suspended users wait for reinstatement. An alert
-- belongs to a user, or to a guest subscriber with a verified email.
create or replace function fire_price_alerts(checks bigint[], ids bigint[]) returns void
language plpgsql set enable_seqscan = off as $$ -- Uses indexes despite outdated statistics.
declare
  mails_a_day constant integer := 10;
  today constant date := (now() at time zone 'utc')::date;
begin
  if ids is null then return; end if;
  with judged as (
    select met.*, min(id) over moment as first, min(cool_at) over moment as due_at,
           'price-alert:' || owner || ':' || deal_id || ':' || extract(epoch from at) as key
      from (
        select a.id, a.deal_id, a.currency, a.user_id, a.watcher_id, coalesce(a.user_id, 'watcher-' || a.watcher_id) as owner,
               coalesce(u.email, w.email) as email, a.repeats, c.id as check_id, c.at, c.price_log_id, c.old_price, c.new_price,
               greatest(c.at + c.mail_wait, case when a.last_mailed_at > c.at then a.last_mailed_at -- An email is already waiting.
                                                 else a.last_mailed_at + interval '24 hours' end) as cool_at, -- The cooldown applies.
               case when not u.email_verified then 'unverified'
                    -- A drop is emailed only once, but a deal that is back in stock is emailed at
                    -- any price.
                    when c.new_price >= a.last_mailed_price and a.kind <> 'back_in_stock' then 'same_drop'
                    else 'queued' end as verdict
          from unnest(checks, ids) as pair (check_id, id)
          join alert_checks c on c.id = pair.check_id
          join price_alerts a on a.id = pair.id and a.is_active
          left join users u on u.id = a.user_id
          left join watchers w on w.id = a.watcher_id
         where u.suspended_at is null) met
    window moment as (partition by owner, deal_id, verdict)
  ), fired as (
    update price_alerts a
       set is_active = a.repeats, fired_at = j.at, fired_price = j.new_price, seen_check = j.check_id, updated_at = now(),
           last_mailed_at = case when j.verdict = 'queued' then j.due_at else a.last_mailed_at end,
           -- A repeating alert records a drop even if it was not emailed, and then waits for the
           -- next rise.
           last_mailed_price = case when j.verdict = 'queued' or j.repeats then j.new_price else a.last_mailed_price end
      from judged j
     where a.id = j.id and a.is_active
  ), counted as (
    insert into alert_mail_days (user_id, day, mails)
      select user_id, today, count(*) from judged where verdict = 'queued' and id = first and user_id is not null
       group by user_id order by user_id
    on conflict (user_id, day) do update set mails = alert_mail_days.mails + excluded.mails
    returning user_id, mails
  ), counted_watchers as (
    insert into alert_mail_days (watcher_id, day, mails)
      select watcher_id, today, count(*) from judged where verdict = 'queued' and id = first and watcher_id is not null
       group by watcher_id order by watcher_id
    on conflict (watcher_id, day) do update set mails = alert_mail_days.mails + excluded.mails
    returning watcher_id, mails
  ), decided as (
    select j.*, case when j.verdict = 'queued'
                      and coalesce(c.mails, w.mails) - count(*) filter (where j.verdict = 'queued' and j.id = j.first) over of_owner
                        + dense_rank() over (partition by j.owner, j.verdict order by j.first) > mails_a_day
                     then 'digest' else j.verdict end as mail_state
      -- Uses full joins here and below (see deals_after_update).
      from judged j full join counted c on c.user_id = j.user_id full join counted_watchers w on w.watcher_id = j.watcher_id
    window of_owner as (partition by j.owner)
  ), events as (
    insert into price_alert_events (alert_id, price_log_id, old_price, new_price, currency, fired_at, mail_state, mail_key, user_id, watcher_id,
                                    digest_day)
      select id, price_log_id, old_price, new_price, currency, at, mail_state, case when mail_state = 'queued' then key end,
             user_id, watcher_id, case when mail_state = 'digest' then today end
        from decided order by id
    returning id as event_id, alert_id
  ), mails as (
    insert into mail_outbox (key, kind, recipient, user_id, payload, due_at, is_bulk)
      select key, 'price-alert', email, user_id, jsonb_build_object('eventId', event_id, 'alertId', id), due_at,
             at < now() -- Events are sent in a later transaction, so that other emails need not wait.
        from (select d.*, e.event_id from decided d full join events e on e.alert_id = d.id offset 0) told
       where id = first and mail_state = 'queued'
    on conflict (key) do nothing
  )
  insert into mail_outbox (key, kind, recipient, user_id, payload, due_at)
    select distinct 'price-alert-digest:' || owner || ':' || today, 'price-alert-digest', email, user_id,
           case when user_id is null then jsonb_build_object('watcherId', watcher_id, 'day', today)
                else jsonb_build_object('userId', user_id, 'day', today) end, (today + 1)::timestamp at time zone 'utc'
      from decided where mail_state = 'digest'
  on conflict (key) do nothing;
end $$;
