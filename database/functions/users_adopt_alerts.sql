create or replace function users_adopt_alerts() returns trigger language plpgsql as $$
begin
  perform adopt_alerts(new.id);
  return null;
end $$;
