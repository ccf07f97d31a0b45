-- Counts content security policy violations that browsers report, by kind, without data about the reporter.
create table policy_reports (
  directive text not null,
  blocked text not null, -- an origin, a scheme or a keyword such as `inline`, never a whole URL
  path text not null,
  seen bigint not null,
  first_seen_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  primary key (directive, blocked, path)
);
create index policy_reports_last_seen on policy_reports (last_seen_at desc);
