-- A new price writes less: what nothing needed any more is written no longer, for a deal or for an alert that fires (decision 064).

-- Which deals end next. Beside the deal (decision 053), where a price leaves it alone.
drop index deals_expiring, deal_texts_expires;
create index deal_texts_expires on deal_texts (expires_at) where not is_expired and expires_at is not null;

-- An owner has a hundred alerts at most: they are found by whose they are, then put in order. Few are a watcher's.
drop index price_alerts_user;
alter table price_alerts drop constraint price_alerts_watcher_id_deal_id_kind_key;
create unique index price_alerts_watcher on price_alerts (watcher_id, deal_id, kind) where watcher_id is not null;

-- What an alert fired goes with the alert, and that with its owner.
alter table price_alert_events
  drop constraint price_alert_events_user_id_fkey,
  drop constraint price_alert_events_watcher_id_fkey;

-- Only what is armed is looked at: one that fires is not.
drop trigger price_alerts_before_write on price_alerts;
create trigger price_alerts_before_write before insert or update on price_alerts
  for each row when (new.is_active) execute function price_alerts_before_write();
