-- The rights of a key, chosen when it is created. Existing keys keep their rights.
alter table api_keys add column rights text[] not null default array['limits']
  check (cardinality(rights) > 0 and rights <@ array['limits', 'clicks']);

-- The keys of a deleted account are revoked.
create function users_end_keys() returns trigger language plpgsql as $$ begin return old; end $$;
create trigger users_end_keys before delete on users for each row execute function users_end_keys();
