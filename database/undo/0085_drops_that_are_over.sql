drop index price_alerts_told;
alter table import_changes drop column version_before;
