-- A new price writes less: indexes and foreign keys that nothing needs are removed from deals and fired alerts.

-- The next deals to end. Stored beside the deal, where a price change does not touch it.
drop index deals_expiring, deal_texts_expires;
create index deal_texts_expires on deal_texts (expires_at) where not is_expired and expires_at is not null;

-- An owner has at most a hundred alerts, so they are found by owner and then sorted. Few belong to guest subscribers.
drop index price_alerts_user;
alter table price_alerts drop constraint price_alerts_watcher_id_deal_id_kind_key;
create unique index price_alerts_watcher on price_alerts (watcher_id, deal_id, kind) where watcher_id is not null;

-- Fired events are deleted with their alert, and alerts with their owner.
alter table price_alert_events
  drop constraint price_alert_events_user_id_fkey,
  drop constraint price_alert_events_watcher_id_fkey;

-- Only armed alerts are read, not those that fire.
drop trigger price_alerts_before_write on price_alerts;
create trigger price_alerts_before_write before insert or update on price_alerts
  for each row when (new.is_active) execute function price_alerts_before_write();
