-- Attempt counters, shared by all processes and preserved across restarts. The limiter requires these columns.
create table rate_limits (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint -- milliseconds since 1970
);
create index rate_limits_expire on rate_limits (expire);

-- Secrets that the site generates once. All processes sign with the same key, and emailed links stay valid after a
-- backup is restored.
create table site_secrets (
  name text primary key,
  value text not null,
  created_at timestamptz not null default now()
);

create index captcha_spent_expires on captcha_spent (expires_at);
