-- A dry run shows cards as they will look, new categories and what will end. The time left counts from the start of a phase.
alter table import_runs
  add column phase_since timestamptz,
  add column rows_to_write int,
  add column rehearsal jsonb;
