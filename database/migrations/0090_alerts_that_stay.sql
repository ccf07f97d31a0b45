-- A repeating alert fires each time the price drops, once it has risen above the price that it last fired at.
alter table price_alerts add column repeats boolean not null default false;
alter table watch_requests add column repeats boolean not null default false;
