-- What a key may do, as staff choose it when they make it (decision 057). Keys from before keep what they had.
alter table api_keys add column rights text[] not null default array['limits']
  check (cardinality(rights) > 0 and rights <@ array['limits', 'clicks']);

-- Nobody vouches for the keys of an account that is deleted.
create function users_end_keys() returns trigger language plpgsql as $$ begin return old; end $$;
create trigger users_end_keys before delete on users for each row execute function users_end_keys();
