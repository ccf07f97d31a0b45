-- Queues the JSON and the XML version of a feed for WebSub, if that service is enabled
-- (`discovery_on`). Does nothing if `feed` is null.
create or replace function queue_feed(services text[], feed text) returns void language plpgsql as $$
begin
  if feed is null or not 'websub' = any (services) then return; end if;
  insert into discovery_services (name) values ('websub') on conflict do nothing;
  insert into discovery_queue (service, path)
    values ('websub', '/feeds/' || feed || '.json'), ('websub', '/feeds/' || feed || '.xml');
end $$;
