-- Applies signed changes to the site's counters, sorted by name, so that two writers never
-- deadlock.
create or replace function add_to_counters(changes jsonb) returns void language plpgsql as $$
declare change record;
begin
  for change in select key as name, value::bigint as n from jsonb_each_text(changes) where value::bigint <> 0 order by key loop
    update site_counters set value = value + change.n where name = change.name;
  end loop;
end $$;
