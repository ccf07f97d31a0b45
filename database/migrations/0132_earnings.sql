-- Sales reports of affiliate networks are stored, so that the admin can show earnings beside clicks.

-- An uploaded report.
create table earning_imports (
  id bigint generated always as identity primary key,
  network text not null,
  file_name text not null,
  added integer not null,
  changed integer not null,
  created_by text not null, -- a user id
  created_at timestamptz not null default now(),
  undone_at timestamptz,
  undone_by text
);
create index earning_imports_at on earning_imports (created_at);

-- A sale that a network reported. There are no foreign keys, because the deal, store and others may be deleted.
create table earnings (
  id bigint generated always as identity primary key,
  network text not null,
  transaction_id text not null check (length(transaction_id) between 1 and 100),
  status text not null check (status in ('pending', 'approved', 'declined')),
  amount integer not null, -- the commission in minor units, negative if the network corrects an earlier one
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  day date not null, -- the day of the sale, as reported by the network
  -- The values in the sub-id. All are null if there was none.
  channel text check (channel in ('site', 'newsletter', 'feed', 'mail', 'elsewhere')),
  newsletter_id bigint,
  deal_id bigint,
  coupon_id bigint,
  clicked_on date,
  -- The deal's store, category and feed when the sale was first reported.
  merchant_id bigint,
  category_id bigint,
  feed_source_id bigint, -- 0: the deal has no feed
  import_id bigint references earning_imports on delete set null, -- null: the last change came from a postback
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (network, transaction_id)
);
create index earnings_day on earnings (day);
create index earnings_merchant on earnings (merchant_id, day) where merchant_id is not null;
create index earnings_deal on earnings (deal_id, day) where deal_id is not null;
create index earnings_newsletter on earnings (newsletter_id) where newsletter_id is not null;
create index earnings_import on earnings (import_id) where import_id is not null;
create index earnings_network on earnings (network, updated_at);

-- The changes of an import, so that it can be undone.
create table earning_changes (
  import_id bigint not null references earning_imports on delete cascade,
  earning_id bigint not null references earnings on delete cascade,
  before jsonb, -- null: the import added the row
  changed_at timestamptz not null default now(),
  primary key (earning_id, import_id)
);
create index earning_changes_import on earning_changes (import_id);
create index earning_changes_at on earning_changes (changed_at);

-- The owner's settings for a network's reports and postbacks.
create table report_settings (
  network text primary key,
  columns jsonb not null default '{}',
  currency text,
  decimal_mark text check (decimal_mark in ('.', ',')),
  day_order text check (day_order in ('dmy', 'mdy')),
  address_number integer not null default 1 -- a new number invalidates the previous postback URL
);
