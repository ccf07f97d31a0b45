-- Passkeys: the public key of a pair whose private key never leaves the user's device.

create table passkeys (
  -- The credential id from the device, in base64url.
  id text primary key check (length(id) between 16 and 1400),
  user_id text not null references users (id) on delete cascade,
  name text not null check (length(name) between 1 and 60),
  -- SubjectPublicKeyInfo in DER.
  public_key bytea not null,
  -- The number in the COSE registry: -7, -8 or -257.
  algorithm integer not null,
  -- The device's counter at the last use. Most devices do not count and always send 0.
  counter bigint not null default 0,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create index passkeys_user on passkeys (user_id, created_at);
