-- Clears the link check, since a changed link has not been checked.
create or replace function deals_forget_link_check() returns trigger language plpgsql as $$
begin
  new.link_checked_at := null;
  new.link_missed_at := null;
  new.link_broken_since := null;
  new.link_trusted_at := null;
  return new;
end $$;
