-- The processes of the site. Each updates its row every 30 seconds and deletes it when it stops.
create table site_processes (
  host text not null,
  port integer not null,
  role text not null check (role in ('web', 'worker', 'all')),
  version text not null,
  started_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  primary key (host, port)
);
