-- Applies signed changes to counters of the site, always in the order of their names, so that two
-- writers never deadlock.
create or replace function add_to_counters(changes jsonb) returns void language plpgsql as $$
declare change record;
begin
  for change in select key as name, value::bigint as n from jsonb_each_text(changes) where value::bigint <> 0 order by key loop
    update site_counters set value = value + change.n where name = change.name;
  end loop;
end $$;
