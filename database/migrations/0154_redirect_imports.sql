-- Redirect imports can be undone for 30 days.
create table redirect_imports (
  id bigint generated always as identity primary key,
  file_name text not null,
  added integer not null,
  changed integer not null,
  created_by text not null, -- a user id, or 'cli'
  created_at timestamptz not null default now(),
  undone_at timestamptz,
  undone_by text
);
create index redirect_imports_at on redirect_imports (created_at);

-- The redirects that an import wrote, until it is undone. There is no foreign key, because a redirect may be deleted
-- in the meantime.
create table redirect_changes (
  import_id bigint not null references redirect_imports on delete cascade,
  redirect_id bigint not null,
  from_path text not null,
  target text,
  status smallint not null,
  old_target text,
  old_status smallint, -- null: the import added the redirect
  primary key (redirect_id, import_id)
);
create index redirect_changes_import on redirect_changes (import_id);
