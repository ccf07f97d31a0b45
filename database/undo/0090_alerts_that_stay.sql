alter table price_alerts drop column repeats;
alter table watch_requests drop column repeats;
