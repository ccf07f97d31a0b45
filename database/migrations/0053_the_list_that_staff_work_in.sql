-- Held prices of many deals can be approved or rejected at once.
alter table bulk_changes drop constraint bulk_changes_verb_check, add constraint bulk_changes_verb_check check (verb in
  ('activate', 'deactivate', 'feature', 'unfeature', 'delete', 'restore', 'category', 'price', 'end', 'put-back',
   'approve-price', 'refuse-price'));

-- Saved views of admin lists (named URLs), and the columns that each user sees.
create table saved_views (
  id bigint generated always as identity primary key,
  user_id text not null references users (id) on delete cascade,
  list text not null, -- the path of the list
  name text not null,
  search text not null, -- the query of the URL: filters, sort order and columns
  is_shared boolean not null default false, -- shared with all staff
  created_at timestamptz not null default now()
);
create unique index saved_views_own on saved_views (user_id, list, lower(name));
create index saved_views_shared on saved_views (list) where is_shared;

create table list_columns (
  user_id text not null references users (id) on delete cascade,
  list text not null,
  columns text[] not null,
  primary key (user_id, list)
);
