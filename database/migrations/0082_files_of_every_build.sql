-- The scripts and stylesheets of every build that runs or ran recently, so that any process can serve them.
create table build_files (
  name text collate "C" primary key,
  content bytea not null,
  seen_at timestamptz not null default now()
);
