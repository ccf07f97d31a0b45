-- The versions that have run here, and the SQL functions of replaced versions.
create table site_versions (
  version text primary key,
  started_at timestamptz,
  -- The time when a newer version replaced this one, and the SQL functions at that time.
  left_at timestamptz,
  functions jsonb,
  check ((left_at is null) = (functions is null))
);
