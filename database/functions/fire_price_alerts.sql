-- Ends these alerts, writes their history and queues their mails: one statement whatever their number. Those of somebody
-- suspended wait until they are reinstated. An alert is a user's or a watcher's, whose address is proved by being there.
create or replace function fire_price_alerts(ids bigint[], old_prices integer[], new_prices integer[]) returns void
language plpgsql as $$
declare
  mails_a_day constant integer := 10;
  today constant date := (now() at time zone 'utc')::date;
begin
  if ids is null then return; end if;
  with judged as (
    select a.id, a.deal_id, a.user_id, a.watcher_id, coalesce(u.email, w.email) as email, a.last_mailed_at,
           met.old_price, met.new_price,
           case when not u.email_verified then 'unverified'
                -- the same drop is told once; a deal back in stock is news at any price
                when met.new_price >= a.last_mailed_price and a.kind <> 'back_in_stock' then 'same_drop'
                else 'queued' end as verdict
      from unnest(ids, old_prices, new_prices) as met (id, old_price, new_price)
      join price_alerts a on a.id = met.id and a.is_active
      left join users u on u.id = a.user_id
      left join watchers w on w.id = a.watcher_id
     where u.suspended_at is null
  ), fired as (
    update price_alerts a
       set is_active = false, fired_at = now(), fired_price = j.new_price, updated_at = now(),
           last_mailed_at = case when j.verdict = 'queued' then now() else a.last_mailed_at end,
           last_mailed_price = case when j.verdict = 'queued' then j.new_price else a.last_mailed_price end
      from judged j where a.id = j.id and a.is_active
  ), counted as (
    insert into alert_mail_days (user_id, day, mails)
      select user_id, today, count(*) from judged
       where verdict = 'queued' and user_id is not null group by user_id order by user_id
    on conflict (user_id, day) do update set mails = alert_mail_days.mails + excluded.mails
    returning user_id, mails
  ), counted_watchers as (
    insert into alert_mail_days (watcher_id, day, mails)
      select watcher_id, today, count(*) from judged
       where verdict = 'queued' and watcher_id is not null group by watcher_id order by watcher_id
    on conflict (watcher_id, day) do update set mails = alert_mail_days.mails + excluded.mails
    returning watcher_id, mails
  ), numbered as (
    select j.*, coalesce(c.mails, w.mails) - count(*) over of_owner
             + row_number() over (of_owner order by j.id) as mail_number
      from judged j
      left join counted c on c.user_id = j.user_id
      left join counted_watchers w on w.watcher_id = j.watcher_id
     where j.verdict = 'queued'
    window of_owner as (partition by j.user_id, j.watcher_id)
  ), decided as (
    select id, deal_id, user_id, watcher_id, email, last_mailed_at, old_price, new_price,
           case when mail_number > mails_a_day then 'digest' else 'queued' end as verdict from numbered
    union all
    select id, deal_id, user_id, watcher_id, email, last_mailed_at, old_price, new_price, verdict
      from judged where verdict <> 'queued'
  ), events as (
    insert into price_alert_events (alert_id, price_log_id, old_price, new_price, mail_state, mail_key, user_id, watcher_id,
                                    digest_day)
      select d.id, l.id, d.old_price, d.new_price, d.verdict,
             case when d.verdict = 'queued'
               -- one mail for each alert and price: without a log the moment stands for the price
               then 'price-alert:' || d.id || ':' || coalesce(l.id::text, 'at-' || extract(epoch from now())) end,
             d.user_id, d.watcher_id, case when d.verdict = 'digest' then today end
        from decided d
        left join lateral (
          select id from price_log where deal_id = d.deal_id order by at desc, id desc limit 1) l on true
    returning id, alert_id, mail_state, mail_key
  ), mails as (
    insert into mail_outbox (key, kind, recipient, user_id, payload, due_at)
      select e.mail_key, 'price-alert', d.email, d.user_id, jsonb_build_object('eventId', e.id, 'alertId', d.id),
             greatest(now(), d.last_mailed_at + interval '24 hours') -- the cooldown
        from events e join decided d on d.id = e.alert_id
       where e.mail_state = 'queued'
    on conflict (key) do nothing
  )
  insert into mail_outbox (key, kind, recipient, user_id, payload, due_at)
    select distinct 'price-alert-digest:' || coalesce(user_id, 'watcher-' || watcher_id) || ':' || today,
           'price-alert-digest', email, user_id,
           case when user_id is null then jsonb_build_object('watcherId', watcher_id, 'day', today)
                else jsonb_build_object('userId', user_id, 'day', today) end, (today + 1)::timestamp at time zone 'utc'
      from decided where verdict = 'digest'
  on conflict (key) do nothing;
end $$;
