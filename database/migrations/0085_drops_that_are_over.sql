-- A reported price drop is over once the price rises above it, whether or not the alert is armed. This index finds
-- the affected alerts by deal.
create index price_alerts_told on price_alerts (deal_id) where last_mailed_price is not null;
-- The version of the deal before the run. Once a newer run is rolled back, the older one can be rolled back too.
alter table import_changes add column version_before integer;
