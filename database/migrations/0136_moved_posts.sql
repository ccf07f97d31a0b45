-- Owners can import posts and pages from a WordPress export, with redirects from their old addresses.

-- An uploaded export.
create table post_moves (
  id bigint generated always as identity primary key,
  file_name text not null,
  site_url text, -- the address of the old site
  state text not null default 'reading' check (state in ('reading', 'ready', 'running', 'done', 'undoing', 'undone')),
  left_out jsonb not null default '{}', -- the number of items that this site cannot store, by kind
  created_by text not null, -- a user id, or 'cli'
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  undone_by text
);
create index post_moves_due on post_moves (id) where state in ('running', 'undoing');
create index post_moves_at on post_moves (created_at);

-- A post or page of an export.
create table post_move_items (
  id bigint generated always as identity primary key,
  move_id bigint not null references post_moves on delete cascade,
  kind text not null check (kind in ('post', 'page')),
  old_key text not null, -- the GUID, so that importing the same file again adds nothing
  old_id text, -- the id on the old site, for links such as ?p=12
  old_url text not null,
  old_path text, -- null: the URL has no path
  title text not null,
  asked_slug text not null,
  slug text,
  details jsonb not null default '{}', -- excerpt, tags, author, picture, date and publication
  content text, -- cleaned HTML; null once the item is imported or skipped
  notes jsonb not null default '[]', -- messages about differences from the old item
  skip text, -- why the item is skipped
  redirect text check (redirect in ('new', 'same', 'none')),
  redirect_note text,
  outcome text check (outcome in ('moved', 'kept', 'removed')),
  row_id bigint, -- the id of the post or page
  redirect_id bigint
);
create index post_move_items_move on post_move_items (move_id, id);
create unique index post_move_items_moved on post_move_items (old_key) where outcome in ('moved', 'kept');
