-- Counters of attempts, which all processes share and which survive restarts. The columns are those of the limiter.
create table rate_limits (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint -- milliseconds since 1970
);
create index rate_limits_expire on rate_limits (expire);

-- Secrets that the site creates once. All processes that share the database sign alike, and a restored backup keeps
-- emailed links valid.
create table site_secrets (
  name text primary key,
  value text not null,
  created_at timestamptz not null default now()
);

create index captcha_spent_expires on captcha_spent (expires_at);
