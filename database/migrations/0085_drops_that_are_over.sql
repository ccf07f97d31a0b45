-- A drop that an alert told of is over once the price rises above it, whether the alert is armed or not. The alerts to look at
-- are found by their deal.
create index price_alerts_told on price_alerts (deal_id) where last_mailed_price is not null;
-- The version of a deal that a run found: of two runs in a row, the older can be rolled back once the newer one is.
alter table import_changes add column version_before integer;
