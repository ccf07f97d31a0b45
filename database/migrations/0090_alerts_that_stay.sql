-- An alert that stays fires each time: again once the price has risen above the one that it last fired at (decision 089).
alter table price_alerts add column repeats boolean not null default false;
alter table watch_requests add column repeats boolean not null default false;
