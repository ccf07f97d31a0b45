-- Ends all sessions of a user who is suspended or reinstated, whichever program makes the change.
create or replace function users_suspension() returns trigger language plpgsql as $$
begin
  delete from sessions where user_id = new.id;
  new.role_version := old.role_version + 1;
  return new;
end $$;
