-- Stored pictures lie in the database, where every machine of the site reaches them, unless PICTURE_STORE says otherwise (decision 071).
-- "if not exists": the restore of an older backup needs the table before its migrations have run.
create table if not exists stored_pictures (
  name text collate "C" primary key,
  content bytea not null,
  written_at timestamptz not null default now()
);
-- Pictures are compressed already, and so any part of one is read without the rest.
alter table stored_pictures alter column content set storage external;
