-- A wrong line of the price log can be voided: it stays in the log but is ignored.
create table price_voids (
  -- Not a foreign key, because the primary key of a partitioned log also contains the time.
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
