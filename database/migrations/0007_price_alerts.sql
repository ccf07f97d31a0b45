-- Price alerts fire in the transaction of the price change, whether it comes from admin, an import, a feed or plain
-- SQL. A rolled-back change fires nothing.

alter table price_alert_events drop constraint price_alert_events_alert_id_price_log_id_key;
alter table price_alert_events
  -- The outcome of the email when the alert fired. `queued`: see its row in the outbox.
  add column mail_state text not null default 'queued'
    check (mail_state in ('queued', 'digest', 'same_drop', 'unverified', 'price_rose')),
  add column mail_key text,
  add column user_id text references users (id) on delete cascade,
  add column digest_day date;
create index price_alert_events_alert on price_alert_events (alert_id, id desc);
create index price_alert_events_digest on price_alert_events (user_id, digest_day) where mail_state = 'digest';

-- A user's alert emails per day (UTC): at most ten, then one digest. The row is also the lock that keeps the count
-- exact when two prices drop at once.
create table alert_mail_days (
  user_id text not null references users (id) on delete cascade,
  day date not null,
  mails integer not null,
  primary key (user_id, day)
);
create index alert_mail_days_day on alert_mail_days (day);

-- Finds a deal's armed alerts without reading table rows of alerts that do not fire.
drop index price_alerts_armed;
create index price_alerts_armed on price_alerts (deal_id) include (id, kind, target_price, target_percent, base_price)
  where is_active;
create index price_alerts_user on price_alerts (user_id, created_at desc, id desc);
create index user_favorites_user on user_favorites (user_id, created_at desc, id desc);

-- Returns the lowest in-stock price in some days before a time, including the price that applied when they began.
create function lowest_price_within(of_deal bigint, days integer, moment timestamptz) returns integer
language sql stable as $$
  select min(sale_price) from (
    (select sale_price from price_log
      where deal_id = of_deal and at < moment and at >= moment - make_interval(days => days)
        and availability <> 'out_of_stock')
    union all
    (select sale_price from (
       select sale_price, availability from price_log
        where deal_id = of_deal and at < moment - make_interval(days => days)
        order by at desc, id desc limit 1) opening
      where availability <> 'out_of_stock')
  ) seen
$$;

-- Ends these alerts, writes their history and queues their emails, all in one statement.
create function fire_price_alerts(ids bigint[], old_prices integer[], new_prices integer[]) returns void
language plpgsql as $$
declare
  mails_a_day constant integer := 10;
  today constant date := (now() at time zone 'utc')::date;
begin
  if ids is null then return; end if;
  with judged as (
    select a.id, a.deal_id, a.user_id, u.email, a.last_mailed_at, met.old_price, met.new_price,
           case when not u.email_verified then 'unverified'
                -- a drop is emailed once; a deal back in stock is emailed at any price
                when met.new_price >= a.last_mailed_price and a.kind <> 'back_in_stock' then 'same_drop'
                else 'queued' end as verdict
      from unnest(ids, old_prices, new_prices) as met (id, old_price, new_price)
      join price_alerts a on a.id = met.id and a.is_active
      join users u on u.id = a.user_id
  ), fired as (
    update price_alerts a
       set is_active = false, fired_at = now(), fired_price = j.new_price, updated_at = now(),
           last_mailed_at = case when j.verdict = 'queued' then now() else a.last_mailed_at end,
           last_mailed_price = case when j.verdict = 'queued' then j.new_price else a.last_mailed_price end
      from judged j where a.id = j.id and a.is_active
  ), counted as (
    insert into alert_mail_days (user_id, day, mails)
      select user_id, today, count(*) from judged where verdict = 'queued' group by user_id order by user_id
    on conflict (user_id, day) do update set mails = alert_mail_days.mails + excluded.mails
    returning user_id, mails
  ), numbered as (
    select j.*, c.mails - count(*) over of_user + row_number() over (of_user order by j.id) as mail_number
      from judged j join counted c on c.user_id = j.user_id
     where j.verdict = 'queued'
    window of_user as (partition by j.user_id)
  ), decided as (
    select id, deal_id, user_id, email, last_mailed_at, old_price, new_price,
           case when mail_number > mails_a_day then 'digest' else 'queued' end as verdict from numbered
    union all
    select id, deal_id, user_id, email, last_mailed_at, old_price, new_price, verdict from judged where verdict <> 'queued'
  ), events as (
    insert into price_alert_events (alert_id, price_log_id, old_price, new_price, mail_state, mail_key, user_id, digest_day)
      select d.id, l.id, d.old_price, d.new_price, d.verdict,
             case when d.verdict = 'queued'
               -- one email per alert and price; without a log line, the time identifies the price
               then 'price-alert:' || d.id || ':' || coalesce(l.id::text, 'at-' || extract(epoch from now())) end,
             d.user_id, case when d.verdict = 'digest' then today end
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
    select distinct 'price-alert-digest:' || user_id || ':' || today, 'price-alert-digest', email, user_id,
           jsonb_build_object('userId', user_id, 'day', today), (today + 1)::timestamp at time zone 'utc'
      from decided where verdict = 'digest'
  on conflict (key) do nothing;
end $$;

-- Runs on every change of price, stock or visibility by any writer. Runs after deals_after_update, which writes the
-- price log, because triggers run in the order of their names.
create function deals_fire_alerts() returns trigger language plpgsql as $$
declare ids bigint[]; old_prices integer[]; new_prices integer[];
begin
  select array_agg(a.id), array_agg(c.old_price), array_agg(c.sale_price) into ids, old_prices, new_prices
    from (
      select n.id, n.sale_price, o.sale_price as old_price, o.availability = 'out_of_stock' as was_out,
             n.availability = 'in_stock' as is_in
        from new_rows n join old_rows o on o.id = n.id join merchants m on m.id = n.merchant_id
       where (n.sale_price, n.availability, n.is_active, n.is_expired)
               is distinct from (o.sale_price, o.availability, o.is_active, o.is_expired)
         and m.allow_alerts and n.is_active and n.availability <> 'out_of_stock'
         and not n.is_expired and (n.expires_at is null or n.expires_at > now())
    ) c
    join price_alerts a on a.deal_id = c.id and a.is_active
   where case a.kind
     when 'target' then c.sale_price <= a.target_price
     when 'any_drop' then c.sale_price < greatest(a.base_price, c.old_price)
     when 'percent_drop' then c.sale_price <= a.base_price::bigint * (100 - a.target_percent) / 100.0
     when 'new_low_30' then c.sale_price < lowest_price_within(c.id, 30, now())
     when 'new_low_90' then c.sale_price < lowest_price_within(c.id, 90, now())
     when 'back_in_stock' then c.was_out and c.is_in
   end;
  perform fire_price_alerts(ids, old_prices, new_prices);
  return null;
end $$;
create trigger deals_fire_alerts after update on deals
  referencing new table as new_rows old table as old_rows for each statement execute function deals_fire_alerts();

-- Arms an alert: later drops are measured from the current price. Locks the deal against a concurrent price change,
-- so either that change sees this alert, or this alert sees the new price.
create function price_alerts_before_write() returns trigger language plpgsql as $$
declare present integer;
begin
  if new.is_active and (tg_op = 'INSERT' or not old.is_active or new.kind <> old.kind
      or new.target_percent is distinct from old.target_percent or new.target_price is distinct from old.target_price) then
    select sale_price into present from deals where id = new.deal_id for share;
    if tg_op = 'UPDATE' or new.base_price is null then new.base_price := present; end if;
    new.fired_at := null;
    new.fired_price := null;
    if present > new.last_mailed_price then new.last_mailed_price := null; end if; -- The earlier drop has ended.
  end if;
  return new;
end $$;
create trigger price_alerts_before_write before insert or update on price_alerts
  for each row execute function price_alerts_before_write();

-- An alert whose target is already met fires immediately.
create function price_alerts_fire_met(armed bigint[]) returns void language plpgsql as $$
declare ids bigint[]; prices integer[];
begin
  if armed is null then return; end if;
  select array_agg(a.id), array_agg(d.sale_price) into ids, prices
    from price_alerts a join deals d on d.id = a.deal_id join merchants m on m.id = d.merchant_id
   where a.id = any(armed) and a.is_active and a.kind = 'target' and d.sale_price <= a.target_price
     and m.allow_alerts and d.is_active and d.availability <> 'out_of_stock'
     and not d.is_expired and (d.expires_at is null or d.expires_at > now());
  perform fire_price_alerts(ids, prices, prices);
end $$;

create function price_alerts_after_insert() returns trigger language plpgsql as $$
begin
  perform price_alerts_fire_met((select array_agg(id) from new_rows where is_active and kind = 'target'));
  return null;
end $$;
create trigger price_alerts_after_insert after insert on price_alerts
  referencing new table as new_rows for each statement execute function price_alerts_after_insert();

create function price_alerts_after_update() returns trigger language plpgsql as $$
begin
  perform price_alerts_fire_met((select array_agg(n.id) from new_rows n join old_rows o on o.id = n.id
    where n.is_active and n.kind = 'target'
      and (not o.is_active or n.kind <> o.kind or n.target_price is distinct from o.target_price)));
  return null;
end $$;
create trigger price_alerts_after_update after update on price_alerts
  referencing new table as new_rows old table as old_rows for each statement execute function price_alerts_after_update();

-- The end date that the user was reminded of. A deal with a later end may cause another reminder.
alter table user_favorites add column reminded_for timestamptz;
