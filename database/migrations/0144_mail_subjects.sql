-- The outbox stores email subjects, so that its list can be searched by subject.
alter table mail_outbox add column subject text check (length(subject) <= 200);

-- Triggers check only once which services must be notified of changes.
drop function queue_discovery(text[], text);
drop function is_discovery_on();
create function discovery_on() returns text[] language sql stable as $$ select null::text[] $$;
create function queue_discovery(services text[], paths text[], feed text) returns void language plpgsql as $$ begin end $$;
