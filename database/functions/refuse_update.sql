-- Rejects updates of append-only tables.
create or replace function refuse_update() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end $$;
