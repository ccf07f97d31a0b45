-- Counters of attempts, shared by all processes and kept over a restart (R12). The columns are the limiter's own.
create table rate_limits (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint -- milliseconds since 1970
);
create index rate_limits_expire on rate_limits (expire);

-- Secrets of this site, made by itself once: every process that shares the database signs alike, and a backup keeps
-- links in sent mails valid (R33).
create table site_secrets (
  name text primary key,
  value text not null,
  created_at timestamptz not null default now()
);

create index captcha_spent_expires on captcha_spent (expires_at);
