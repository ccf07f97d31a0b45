-- Queues changed paths for IndexNow, and the feeds with this name for WebSub, if those services are
-- enabled (`discovery_on`). The queue has no unique key, so that writers never wait for each other.
-- Duplicate paths are merged before sending.
create or replace function queue_discovery(services text[], paths text[], feed text) returns void language plpgsql as $$
begin
  if coalesce(cardinality(paths), 0) = 0 then return; end if;
  if 'indexnow' = any (services) then
    insert into discovery_services (name) values ('indexnow') on conflict do nothing;
    insert into discovery_queue (service, path) select 'indexnow', path from unnest(paths) path group by path order by path;
  end if;
  perform queue_feed(services, feed);
end $$;
