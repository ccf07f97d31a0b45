-- Stores email addresses in lower case, so that sign-in can use the plain column, and adds two-factor authentication.

update users set email = lower(email) where email <> lower(email);
alter table users add constraint users_email_is_lower_case check (email = lower(email));
drop index users_email;
create unique index users_email on users (email);

-- Time-based one-time passwords (RFC 6238). The key is encrypted with a key of the site, and each time step works
-- once.
create table two_factors (
  user_id text primary key references users (id) on delete cascade,
  sealed_key bytea not null,
  confirmed_at timestamptz,
  last_step bigint not null default 0,
  created_at timestamptz not null default now()
);

-- Backup codes for a lost phone. Each works once.
create table backup_codes (
  user_id text not null references users (id) on delete cascade,
  code_hash text not null,
  primary key (user_id, code_hash)
);

create index sessions_expires on sessions (expires_at);
create index verifications_expires on verifications (expires_at);
