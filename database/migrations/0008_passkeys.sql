-- Passkeys: the public half of a key pair whose private half never leaves the user's device.

create table passkeys (
  -- As the device names it, in base64url.
  id text primary key check (length(id) between 16 and 1400),
  user_id text not null references users (id) on delete cascade,
  name text not null check (length(name) between 1 and 60),
  -- SubjectPublicKeyInfo in DER.
  public_key bytea not null,
  -- By its number in the COSE registry: -7, -8 or -257.
  algorithm integer not null,
  -- What the device counted at its last use. Most devices do not count and always say 0.
  counter bigint not null default 0,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create index passkeys_user on passkeys (user_id, created_at);
