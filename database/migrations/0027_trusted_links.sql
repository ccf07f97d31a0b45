-- Somebody looked at a link that programs are told is gone, and it leads where it should. It is not called broken again
-- before it has answered otherwise, or the deal has another address.
alter table deals add column link_trusted_at timestamptz;

create or replace function deals_forget_link_check() returns trigger language plpgsql as $$
begin
  new.link_checked_at := null;
  new.link_missed_at := null;
  new.link_broken_since := null;
  new.link_trusted_at := null;
  return new;
end $$;
