drop trigger price_alerts_before_write on price_alerts;
create trigger price_alerts_before_write before insert or update on price_alerts
  for each row execute function price_alerts_before_write();

alter table price_alert_events
  add foreign key (user_id) references users (id) on delete cascade,
  add foreign key (watcher_id) references watchers (id) on delete cascade;

drop index price_alerts_watcher;
alter table price_alerts add constraint price_alerts_watcher_id_deal_id_kind_key unique (watcher_id, deal_id, kind);
create index price_alerts_user on price_alerts (user_id, created_at desc, id desc);

drop index deal_texts_expires;
create index deal_texts_expires on deal_texts (expires_at) where expires_at is not null;
create index deals_expiring on deals (expires_at) where not is_expired;
