-- What browsers report that the content policy stopped (R57): how often, of what kind. Nothing of who reported it.
create table policy_reports (
  directive text not null,
  blocked text not null, -- an origin, a scheme or a word such as `inline`, never a whole address
  path text not null,
  seen bigint not null,
  first_seen_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  primary key (directive, blocked, path)
);
create index policy_reports_last_seen on policy_reports (last_seen_at desc);
