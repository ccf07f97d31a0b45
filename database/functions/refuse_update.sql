-- Rejects updates, because lines of the log are never changed, and are deleted only with their
-- deal.
create or replace function refuse_update() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end $$;
