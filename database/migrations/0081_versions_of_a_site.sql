-- The versions that ran here, and what an upgrade left behind.
create table site_versions (
  version text primary key,
  started_at timestamptz,
  -- The time when a newer version replaced it, and the functions of that time.
  left_at timestamptz,
  functions jsonb,
  check ((left_at is null) = (functions is null))
);
