-- Ends these alerts, but for those that stay, writes their history and queues their mails: one statement whatever their number.
-- All that fires for one owner and deal in one transaction has one mail, which is due when the first of them may be mailed: a day
-- after the last one, or in the place of one that still waits. Alerts of somebody suspended wait until they are reinstated. An
-- alert is a user's or a watcher's, whose address is proved by being there.
create or replace function fire_price_alerts(ids bigint[], old_prices integer[], new_prices integer[]) returns void
language plpgsql as $$
declare
  mails_a_day constant integer := 10;
  today constant date := (now() at time zone 'utc')::date;
begin
  if ids is null then return; end if;
  with judged as (
    select a.id, a.deal_id, a.user_id, a.watcher_id, coalesce(a.user_id, 'watcher-' || a.watcher_id) as owner,
           coalesce(u.email, w.email) as email, a.repeats,
           greatest(now() + staff_wait(), case when a.last_mailed_at > now() then a.last_mailed_at -- one waits
                                               else a.last_mailed_at + interval '24 hours' end) as due_at, -- the cooldown
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
  ), moments as (
    select owner, deal_id, min(user_id) as user_id, min(watcher_id) as watcher_id, min(email) as email, min(id) as first,
           min(due_at) as due_at,
           'price-alert:' || owner || ':' || deal_id || ':' || extract(epoch from now()) as key
      from judged where verdict = 'queued' group by owner, deal_id
  ), fired as (
    update price_alerts a
       set is_active = a.repeats, fired_at = now(), fired_price = j.new_price, updated_at = now(),
           last_mailed_at = coalesce(m.due_at, a.last_mailed_at),
           -- Of one that stays also what nobody could be mailed: it waits for the next rise.
           last_mailed_price = case when j.verdict = 'queued' or j.repeats then j.new_price else a.last_mailed_price end
      from judged j left join moments m on m.owner = j.owner and m.deal_id = j.deal_id and j.verdict = 'queued'
     where a.id = j.id and a.is_active
  ), counted as (
    insert into alert_mail_days (user_id, day, mails)
      select user_id, today, count(*) from moments where user_id is not null group by user_id order by user_id
    on conflict (user_id, day) do update set mails = alert_mail_days.mails + excluded.mails
    returning user_id, mails
  ), counted_watchers as (
    insert into alert_mail_days (watcher_id, day, mails)
      select watcher_id, today, count(*) from moments where watcher_id is not null group by watcher_id order by watcher_id
    on conflict (watcher_id, day) do update set mails = alert_mail_days.mails + excluded.mails
    returning watcher_id, mails
  ), numbered as (
    select m.*, coalesce(c.mails, w.mails) - count(*) over of_owner
             + row_number() over (of_owner order by m.first) > mails_a_day as is_late
      from moments m
      left join counted c on c.user_id = m.user_id
      left join counted_watchers w on w.watcher_id = m.watcher_id
    window of_owner as (partition by m.owner)
  ), decided as (
    select j.*, n.key, case when n.is_late then 'digest' else j.verdict end as mail_state
      from judged j
      left join numbered n on n.owner = j.owner and n.deal_id = j.deal_id and j.verdict = 'queued'
  ), events as (
    insert into price_alert_events (alert_id, price_log_id, old_price, new_price, mail_state, mail_key, user_id, watcher_id,
                                    digest_day)
      select d.id, l.id, d.old_price, d.new_price, d.mail_state, case when d.mail_state = 'queued' then d.key end,
             d.user_id, d.watcher_id, case when d.mail_state = 'digest' then today end
        from decided d
        left join lateral (
          select id from valid_prices where deal_id = d.deal_id order by at desc, id desc limit 1) l on true
       order by d.id
    returning id, mail_key
  ), mails as (
    insert into mail_outbox (key, kind, recipient, user_id, payload, due_at)
      select n.key, 'price-alert', n.email, n.user_id, jsonb_build_object('eventId', e.id, 'alertId', n.first), n.due_at
        from numbered n join (select mail_key, min(id) as id from events group by mail_key) e on e.mail_key = n.key
    on conflict (key) do nothing
  )
  insert into mail_outbox (key, kind, recipient, user_id, payload, due_at)
    select distinct 'price-alert-digest:' || owner || ':' || today, 'price-alert-digest', email, user_id,
           case when user_id is null then jsonb_build_object('watcherId', watcher_id, 'day', today)
                else jsonb_build_object('userId', user_id, 'day', today) end, (today + 1)::timestamp at time zone 'utc'
      from decided where mail_state = 'digest'
  on conflict (key) do nothing;
end $$;
