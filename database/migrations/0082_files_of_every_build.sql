-- The scripts and sheets of every build that runs or ran lately: whichever process is asked for one has it (decision 076).
create table build_files (
  name text collate "C" primary key,
  content bytea not null,
  seen_at timestamptz not null default now()
);
