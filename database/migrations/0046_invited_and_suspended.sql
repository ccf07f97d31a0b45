-- Accounts can be suspended and reinstated, with a reason for staff. The database itself ends the sessions, and evaluates alerts again
-- after a reinstatement.
alter table users
  add column suspended_at timestamptz,
  add column suspended_for text,
  add constraint users_suspended_for_a_reason check ((suspended_at is null) = (suspended_for is null));
create index users_suspended on users (id) where suspended_at is not null;
create function users_suspension() returns trigger language plpgsql as $$ begin return new; end $$;
create trigger users_suspension before update of suspended_at on users for each row
  when ((new.suspended_at is null) <> (old.suspended_at is null)) execute function users_suspension();
create function users_after_reinstatement() returns trigger language plpgsql as $$ begin return null; end $$;
create trigger users_after_reinstatement after update of suspended_at on users for each row
  when (new.suspended_at is null and old.suspended_at is not null) execute function users_after_reinstatement();

-- Staff are invited by email. Each email gets its own link when it is sent, which is valid as long as the invitation.
create table staff_invitations (
  id bigint generated always as identity primary key,
  email text not null check (email = lower(email)),
  role text not null check (role in ('admin', 'super_admin')),
  words text not null default '',
  invited_by text references users (id) on delete set null,
  link_hashes text[] not null default '{}',
  created_at timestamptz not null default now(),
  sent_at timestamptz not null default now(),
  mails integer not null default 1,
  expires_at timestamptz not null,
  ended_at timestamptz,
  outcome text check (outcome in ('accepted', 'withdrawn')),
  check ((ended_at is null) = (outcome is null))
);
create unique index staff_invitations_open on staff_invitations (email) where ended_at is null;
create index staff_invitations_links on staff_invitations using gin (link_hashes);
create index staff_invitations_inviter on staff_invitations (invited_by);
