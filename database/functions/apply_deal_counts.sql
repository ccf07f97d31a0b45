-- Applies signed changes to the live-deal counters, sorted by id, so that two writers never
-- deadlock.
create or replace function apply_deal_counts(changes jsonb) returns void language plpgsql as $$
declare change record; total bigint := 0;
begin
  for change in select (c->>'category_id')::bigint as id, sum((c->>'n')::int) as n
      from jsonb_array_elements(changes) c group by 1 having sum((c->>'n')::int) <> 0 order by 1 loop
    update categories set deal_count = deal_count + change.n where id = change.id;
  end loop;
  for change in select (c->>'merchant_id')::bigint as id, sum((c->>'n')::int) as n
      from jsonb_array_elements(changes) c group by 1 having sum((c->>'n')::int) <> 0 order by 1 loop
    update merchants set deal_count = deal_count + change.n where id = change.id;
  end loop;
  select coalesce(sum((c->>'n')::int), 0) into total from jsonb_array_elements(changes) c;
  if total <> 0 then
    update site_counters set value = value + total where name = 'live_deals';
  end if;
end $$;
