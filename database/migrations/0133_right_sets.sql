-- Owners can give staff roles with fewer rights: Editor, Writer, Analyst and custom roles.

-- The owner's custom right sets. Editor, Writer and Analyst are built in.
create table right_sets (
  id bigint generated always as identity primary key,
  name text not null check (length(name) between 1 and 60),
  rights text[] not null,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index right_sets_name on right_sets (lower(name));

-- null: all rights of the role. Otherwise editor, writer, analyst, or the id of a custom set. If that set is deleted,
-- no right remains.
alter table users
  add column right_set text,
  add constraint users_right_set_of_admins check (right_set is null or role = 'admin');
create index users_right_set on users (right_set) where right_set is not null;

alter table staff_invitations
  add column right_set text,
  add constraint staff_invitations_right_set_of_admins check (right_set is null or role = 'admin');
