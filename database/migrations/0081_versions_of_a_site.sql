-- Which versions ran here, and what an upgrade left behind (decision 074).
create table site_versions (
  version text primary key,
  started_at timestamptz,
  -- when a newer one took its place, and the functions as they were then
  left_at timestamptz,
  functions jsonb,
  check ((left_at is null) = (functions is null))
);
