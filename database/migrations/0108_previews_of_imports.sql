-- A dry run shows the new cards, the new categories and the deals that will end. The remaining time is estimated from
-- the start of each phase.
alter table import_runs
  add column phase_since timestamptz,
  add column rows_to_write int,
  add column rehearsal jsonb;
