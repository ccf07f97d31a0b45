-- Pictures are stored in the database, which all servers of the site share, unless PICTURE_STORE says otherwise.
-- `if not exists`, since the restore of an older backup needs the table before its migrations have run.
create table if not exists stored_pictures (
  name text collate "C" primary key,
  content bytea not null,
  written_at timestamptz not null default now()
);
-- Uncompressed, since pictures are compressed already and any part can then be read without the rest.
alter table stored_pictures alter column content set storage external;
