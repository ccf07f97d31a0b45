-- Owners can import price histories from another site or tracker; the site's own price log is unchanged.

-- An uploaded file of prices.
create table price_moves (
  id bigint generated always as identity primary key,
  file_name text not null,
  state text not null default 'reading' check (state in ('reading', 'ready', 'running', 'done', 'undoing', 'undone')),
  source text not null default '' check (length(source) <= 60), -- the tracker for rows that name none
  day_order text check (day_order in ('dmy', 'mdy')), -- the order of dates such as 03/04/2025; null: such rows are skipped
  done_line integer not null default 0, -- the last imported line
  counts jsonb not null default '{}', -- the number of rows by outcome
  created_by text not null, -- a user id, or 'cli'
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  undone_by text
);
create index price_moves_due on price_moves (id) where state in ('running', 'undoing');
create index price_moves_at on price_moves (created_at);

-- A row of a file, with both days that an ambiguous date can mean.
create table price_move_rows (
  move_id bigint not null references price_moves on delete cascade,
  line integer not null,
  deal_text text not null,
  date_text text not null,
  price_text text not null,
  deal_id bigint, -- no foreign key, because the deal may be in the trash and be restored
  day_first date,
  month_first date,
  price integer, -- in minor units
  currency text,
  source text not null default '',
  problem text,
  outcome text, -- null until the row is imported
  created_at timestamptz not null default now(),
  primary key (move_id, line)
);
create index price_move_rows_at on price_move_rows (created_at);

-- Prices that the site did not see itself. Only the price chart and the public API show them, separately from the
-- log.
create table moved_prices (
  deal_id bigint not null references deals on delete cascade,
  day date not null,
  sale_price integer not null check (sale_price > 0),
  currency text not null,
  source text not null check (length(source) between 1 and 60), -- the tracker that saw the price
  move_id bigint not null references price_moves on delete cascade,
  primary key (deal_id, day)
);
create index moved_prices_move on moved_prices (move_id, deal_id, day);

create function moved_prices_announce() returns trigger language plpgsql as $$ begin return null; end $$;
create trigger moved_prices_announce_insert after insert on moved_prices referencing new table as changed_rows
  for each statement execute function moved_prices_announce();
create trigger moved_prices_announce_delete after delete on moved_prices referencing old table as changed_rows
  for each statement execute function moved_prices_announce();
