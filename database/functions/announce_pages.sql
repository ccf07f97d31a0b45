create or replace function announce_pages() returns trigger language plpgsql as $$
begin
  perform pg_notify('pages', tg_argv[0]);
  return null;
end $$;
