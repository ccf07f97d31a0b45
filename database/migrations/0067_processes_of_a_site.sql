-- Which processes make up the site: each tells so every half minute, and takes its row away when it stops (decision 061).
create table site_processes (
  host text not null,
  port integer not null,
  role text not null check (role in ('web', 'worker', 'all')),
  version text not null,
  started_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  primary key (host, port)
);
