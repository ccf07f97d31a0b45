-- Seals the price log: each day's new prices and voids become a signed Merkle tree, chained to the day before. Gives
-- voids an id, in the order in which they were written.
alter table price_voids add column id bigint generated always as identity unique;

create table evidence_days (
  day date primary key,
  -- The newest sealed ids, and the number of leaves of each kind added since the previous day.
  last_price bigint not null,
  last_void bigint not null,
  prices integer not null,
  voids integer not null,
  root bytea not null,
  -- The hash of the previous checkpoint, and of this one.
  previous bytea not null,
  hash bytea not null unique,
  sealed_at timestamptz not null,
  public_key bytea not null,
  signature bytea not null,
  -- Every level of the tree, leaves first, 32 bytes per node. `facts` contains two 8-byte numbers per leaf: its deal,
  -- and the deal's previous price (for a void, the voided line).
  nodes bytea not null,
  facts bytea not null,
  facts_hash bytea not null,
  -- Runs of consecutive ids: the first id of each run, and its position among the leaves.
  price_starts bigint[] not null,
  price_places bigint[] not null,
  void_starts bigint[] not null,
  void_places bigint[] not null
);
-- Stored uncompressed, so that a proof reads only its own nodes.
alter table evidence_days alter nodes set storage external, alter facts set storage external;
create index evidence_days_by_price on evidence_days (last_price, day);
create index evidence_days_by_void on evidence_days (last_void, day);
create trigger evidence_days_append_only before update or delete on evidence_days for each row execute function refuse_update();
create trigger evidence_days_announce after insert on evidence_days for each statement execute function announce_pages('evidence');
