-- Revokes a deleted account's API keys, since nobody could revoke them later.
create or replace function users_end_keys() returns trigger language plpgsql as $$
begin
  update api_keys set revoked_at = now() where created_by = old.id and revoked_at is null;
  return old;
end $$;
