-- Pictures are stored in the database, which all servers of the site share, unless PICTURE_STORE names another store.
-- Uses `if not exists`, because restoring an older backup needs the table before migrations run.
create table if not exists stored_pictures (
  name text collate "C" primary key,
  content bytea not null,
  written_at timestamptz not null default now()
);
-- Stored uncompressed, because pictures are already compressed and any part can then be read without the rest.
alter table stored_pictures alter column content set storage external;
