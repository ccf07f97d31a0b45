-- The outbox stores the subjects of emails, so that its list finds them.
alter table mail_outbox add column subject text check (length(subject) <= 200);

-- Triggers read once which services are notified of changes.
drop function queue_discovery(text[], text);
drop function is_discovery_on();
create function discovery_on() returns text[] language sql stable as $$ select null::text[] $$;
create function queue_discovery(services text[], paths text[], feed text) returns void language plpgsql as $$ begin end $$;
