-- Moves the alerts that were set with an email address to the user whose verified email it now is. If the user has an alert of the same
-- kind for a deal, the user's own is kept. If there are more than a hundred alerts, expired ones are dropped first, then the newest.
-- Watched searches are limited to twenty.
create or replace function adopt_alerts(of_user text) returns void language plpgsql as $$
declare
  alerts_a_user constant integer := 100; -- equals mostAlertsPerOwner
  searches_a_user constant integer := 20; -- equals mostSearchesPerOwner
  watcher bigint;
  address text;
begin
  select w.id, w.email into watcher, address
    from users u join watchers w on lower(w.email) = u.email
   where u.id = of_user and u.email_verified for update of w;
  if watcher is null then return; end if;
  update price_alerts set user_id = of_user, watcher_id = null
   where id in (
     select a.id from price_alerts a
      where a.watcher_id = watcher
        and not exists (select from price_alerts own where own.user_id = of_user and own.deal_id = a.deal_id and own.kind = a.kind)
      order by a.is_active desc, a.id
      limit greatest(0, alerts_a_user - (select count(*) from price_alerts where user_id = of_user)));
  update watched_searches set user_id = of_user, watcher_id = null
   where id in (
     select w.id from watched_searches w
      where w.watcher_id = watcher
        and not exists (select from watched_searches own where own.user_id = of_user and own.address = w.address)
      order by w.is_active desc, w.id
      limit greatest(0, searches_a_user - (select count(*) from watched_searches where user_id = of_user)));
  update price_alert_events e set user_id = of_user, watcher_id = null
    from price_alerts a
   where e.watcher_id = watcher and a.id = e.alert_id and a.user_id = of_user;
  -- The daily limit of ten emails applies to both owners together.
  insert into alert_mail_days (user_id, day, mails)
    select of_user, day, mails from alert_mail_days where watcher_id = watcher
  on conflict (user_id, day) do update set mails = alert_mail_days.mails + excluded.mails;
  -- Moves waiting emails as well. If both owners have a digest on one day, the user's own covers
  -- everything.
  delete from mail_outbox d
   where lower(d.recipient) = lower(address) and d.user_id is null and d.state = 'queued' and d.kind = 'price-alert-digest'
     and exists (select from mail_outbox own where own.key = 'price-alert-digest:' || of_user || ':' || (d.payload ->> 'day'));
  update mail_outbox
     set user_id = of_user,
         payload = case when kind = 'price-alert-digest'
                     then jsonb_build_object('userId', of_user, 'day', payload -> 'day') else payload end
   where lower(recipient) = lower(address) and user_id is null and state = 'queued' and kind in ('price-alert', 'price-alert-digest', 'search-news');
  delete from watchers where id = watcher;
end $$;
