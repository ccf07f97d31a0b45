-- Removes unused indexes and foreign keys from deals and fired alerts, so that a new price writes less.

-- The next deals to expire, in a separate table that price changes do not touch.
drop index deals_expiring, deal_texts_expires;
create index deal_texts_expires on deal_texts (expires_at) where not is_expired and expires_at is not null;

-- An owner has at most 100 alerts, so they are looked up by owner and then sorted. Few belong to guest subscribers.
drop index price_alerts_user;
alter table price_alerts drop constraint price_alerts_watcher_id_deal_id_kind_key;
create unique index price_alerts_watcher on price_alerts (watcher_id, deal_id, kind) where watcher_id is not null;

-- Fired events are deleted with their alert, and alerts with their owner.
alter table price_alert_events
  drop constraint price_alert_events_user_id_fkey,
  drop constraint price_alert_events_watcher_id_fkey;

-- The trigger now runs only for armed alerts, not for those that fire.
drop trigger price_alerts_before_write on price_alerts;
create trigger price_alerts_before_write before insert or update on price_alerts
  for each row when (new.is_active) execute function price_alerts_before_write();
