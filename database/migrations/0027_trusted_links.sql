-- Set when staff confirm that a link reported as gone works. The link is not marked as broken again until it responds
-- differently or the URL changes.
alter table deals add column link_trusted_at timestamptz;

create or replace function deals_forget_link_check() returns trigger language plpgsql as $$
begin
  new.link_checked_at := null;
  new.link_missed_at := null;
  new.link_broken_since := null;
  new.link_trusted_at := null;
  return new;
end $$;
