-- Queues both forms of a feed for WebSub, if it is among the services (`discovery_on`). null: none.
create or replace function queue_feed(services text[], feed text) returns void language plpgsql as $$
begin
  if feed is null or not 'websub' = any (services) then return; end if;
  insert into discovery_services (name) values ('websub') on conflict do nothing;
  insert into discovery_queue (service, path)
    values ('websub', '/feeds/' || feed || '.json'), ('websub', '/feeds/' || feed || '.xml');
end $$;
