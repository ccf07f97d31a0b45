-- A repeating alert fires at each price drop after the price has risen above the one it last fired at.
alter table price_alerts add column repeats boolean not null default false;
alter table watch_requests add column repeats boolean not null default false;
