-- Reductions announced by stores, compared with the price log. One row when a reduction begins, and another for each
-- 90 days that it continues.
create table reduction_checks (
  deal_id bigint not null references deals (id) on delete cascade,
  began_at timestamptz not null,
  -- The merchant that announced it, even if the deal now belongs to another.
  merchant_id bigint not null references merchants (id) on delete cascade,
  sale_price integer not null,
  struck_price integer not null,
  announced real not null,
  -- The lowest price of the 30 days before, and the price charged longest in the 90 days before.
  low30 integer,
  common90 integer,
  -- The price that the saving is measured from: `low30`, or `common90` after 90 days.
  measured integer,
  seen real,
  is_standing boolean not null,
  logged_days smallint not null,
  -- The number of the 30 days before on which the store's feed was read. null if there is no feed.
  read_days smallint,
  raised_at timestamptz,
  raised_before boolean not null generated always as (raised_at is not null) stored,
  -- Whether 180 or more logged days never contained the struck price, with the feed read on each of the last 180. null if unknown.
  never_seen boolean,
  verdict text not null check (verdict in ('matches', 'smaller', 'none', 'unknown')),
  -- The kind of feed error because of which staff excluded the reduction.
  left_out text check (left_out in ('currency', 'pack', 'price', 'other')),
  primary key (deal_id, began_at)
);
create index reduction_checks_merchant on reduction_checks (merchant_id, began_at desc, deal_id desc);
-- Indexes for the lists on a store's page, so that a list of few among many reductions is fast, too.
create index reduction_checks_verdict on reduction_checks (merchant_id, verdict, began_at desc, deal_id desc) where left_out is null;
create index reduction_checks_raised on reduction_checks (merchant_id, began_at desc, deal_id desc)
  where left_out is null and raised_before and verdict <> 'unknown';
create index reduction_checks_never_seen on reduction_checks (merchant_id, began_at desc, deal_id desc) where left_out is null and never_seen;
create index reduction_checks_left_out on reduction_checks (merchant_id, began_at desc, deal_id desc) where left_out is not null;
create index reduction_checks_began on reduction_checks (began_at, deal_id);

-- The days on which a store's feed was read. Sample days also have the number of live deals watched for 90 days, and
-- how many were at their low after a higher price.
create table store_days (
  merchant_id bigint not null references merchants (id) on delete cascade,
  day date not null,
  is_read boolean not null default false,
  deals integer not null default 0,
  at_low integer not null default 0,
  primary key (merchant_id, day)
);

-- The statistics on a store's page for 90 days, in one row.
create table store_checks (
  merchant_id bigint primary key references merchants (id) on delete cascade,
  counted_at timestamptz not null default now(),
  is_outdated boolean not null default false,
  announced integer not null default 0,
  checked integer not null default 0,
  matched integer not null default 0,
  smaller integer not null default 0,
  nothing integer not null default 0,
  raised integer not null default 0,
  left_out integer not null default 0,
  median_announced real,
  median_seen real,
  -- The number of struck prices watched long enough to tell whether they were ever charged.
  watched_long integer not null default 0,
  never_seen integer not null default 0,
  -- Counted in the last 90 days, or since the feed was first read.
  feed_days smallint not null default 0,
  read_days smallint not null default 0,
  gap_from date,
  gap_days smallint not null default 0,
  lows jsonb not null default '[]'
);

-- The progress of the job, so that it continues after an interruption.
create table discount_check_pass (
  is_only boolean primary key default true check (is_only),
  -- The next deal if all deals are read again; null if only new prices are read.
  deal_next bigint default 0,
  -- Ids of price log lines: the last that need not be read again, the last when the previous pass began, the next,
  -- and the last of this pass.
  line_seen bigint not null default 0,
  line_known bigint not null default 0,
  line_next bigint not null default 1,
  line_last bigint not null default 0,
  renewed_at timestamptz not null default '-infinity',
  renewed_deal bigint not null default 0,
  run_next bigint not null default 0,
  lows_done date,
  lows_to date,
  lows_deal bigint not null default 0
);

-- The store's reply, and the time of its last change.
alter table merchants
  add column check_reply text,
  add column check_replied_at timestamptz;

create function merchants_date_reply() returns trigger language plpgsql as $$ begin return new; end $$;
create trigger merchants_date_reply before insert or update of check_reply on merchants
  for each row execute function merchants_date_reply();

create function store_checks_announce() returns trigger language plpgsql as $$ begin return null; end $$;
create trigger store_checks_announce_insert after insert on store_checks
  referencing new table as new_rows for each statement execute function store_checks_announce();
create trigger store_checks_announce_update after update on store_checks
  referencing new table as new_rows for each statement execute function store_checks_announce();
