-- A mistaken line of the price log is voided: it stays in the log, and counts for nothing.
create table price_voids (
  -- No foreign key, since the key of a partitioned log contains the time as well.
  line_id bigint primary key,
  deal_id bigint not null references deals on delete cascade,
  voided_at timestamptz not null default now(),
  actor text not null,
  reason text not null check (length(reason) between 1 and 500)
);
create index price_voids_deal on price_voids (deal_id, line_id);
create trigger price_voids_append_only before update on price_voids for each row execute function refuse_update();
create trigger price_voids_keep_lines after delete on price_voids
  referencing old table as old_rows for each statement execute function price_log_keep_lines();
create function price_voids_settle() returns trigger language plpgsql as $$ begin return null; end $$;
create trigger price_voids_settle after insert on price_voids
  referencing new table as new_rows for each statement execute function price_voids_settle();

-- The view through which every reader reads the price log.
create view valid_prices as
  select l.* from price_log l where not exists (select from price_voids v where v.line_id = l.id);
