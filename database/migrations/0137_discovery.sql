-- Search engines (IndexNow) and feed readers (WebSub) can be notified of new and ended deals; off until you turn it on.
create table discovery_queue (
  id bigint generated always as identity primary key,
  service text not null check (service in ('indexnow', 'websub')),
  -- A path of this site, queued again for each change.
  path text collate "C" not null,
  queued_at timestamptz not null default now()
);
create index discovery_queue_service on discovery_queue (service, id);
create index discovery_queue_path on discovery_queue (service, path);
create index discovery_queue_queued_at on discovery_queue (queued_at);

-- One row per service, with a lease, so that only one process sends.
create table discovery_services (
  name text primary key check (name in ('indexnow', 'websub')),
  due_at timestamptz not null default now(),
  lease_owner text,
  lease_until timestamptz,
  -- The time of the last success, and the number of URLs sent.
  sent_at timestamptz,
  sent_count integer not null default 0,
  -- Consecutive failures, and the last one.
  failures integer not null default 0,
  failed_at timestamptz,
  last_error text,
  -- The time when the service rejected us permanently. Saving the settings starts again.
  stopped_at timestamptz
);

create function is_discovery_on() returns boolean language sql stable as $$ select false $$;
create function queue_discovery(paths text[], feed text) returns void language plpgsql as $$ begin end $$;

create function blog_posts_tell_discovery() returns trigger language plpgsql as $$ begin return null; end $$;
create trigger blog_posts_tell_discovery after insert or update or delete on blog_posts
  for each row execute function blog_posts_tell_discovery();
create function site_pages_tell_discovery() returns trigger language plpgsql as $$ begin return null; end $$;
create trigger site_pages_tell_discovery after insert or update or delete on site_pages
  for each row execute function site_pages_tell_discovery();
