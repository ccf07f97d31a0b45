-- A hidden or renamed page must not be served stale.
create or replace function site_pages_announce_update() returns trigger language plpgsql as $$
begin
  perform pg_notify('pages', case
    when (new.slug, new.is_visible) is distinct from (old.slug, old.is_visible) then 'pages'
    else 'old pages'
  end);
  return null;
end $$;
