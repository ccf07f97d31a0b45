-- Stores a row in the trash before it is deleted. Rows that foreign keys delete with it are stored
-- in parts of `most` rows. Omits picture copies, which are downloaded again, and filters of watched
-- searches, which a trigger assigns.
create or replace function keep_rows(root regclass, root_id bigint, as_entity text, as_name text, actor text, most integer default 2000)
returns bigint language plpgsql as $$
declare
  entry bigint;
  step record;
  at integer := 0;
  parts integer;
begin
  insert into deleted_rows (entity, row_id, name, deleted_by) values (as_entity, root_id, as_name, actor) returning id into entry;
  for step in
    with recursive hit (oid, depth, condition) as (
      select root::oid, 0, format('one.id = %s', root_id) collate "C"
      union all
      select c.conrelid, depth + 1,
             format('one.%I in (select one.%I from %s one where %s)', own.attname, other.attname, hit.oid::regclass, condition)
        from hit
        join pg_constraint c on c.confrelid = hit.oid and c.contype = 'f' and c.confdeltype = 'c' and c.conparentid = 0
        join pg_attribute own on own.attrelid = c.conrelid and own.attnum = c.conkey[1]
        join pg_attribute other on other.attrelid = c.confrelid and other.attnum = c.confkey[1]
       where c.conrelid <> 'pictures'::regclass and depth < 5
    )
    select oid::regclass as of_table, string_agg(condition, ' or ') as condition
      from hit group by oid order by max(depth), oid::regclass::text
  loop
    execute format(
      'insert into deleted_row_parts (deleted_id, place, from_table, kept)
       select $1, $2 + n / $3, %L, jsonb_agg(one order by n)
         from (select to_jsonb(one) - ''filter_id'' as one, row_number() over () - 1 as n from %s one where %s) numbered
        group by n / $3', step.of_table, step.of_table, step.condition) using entry, at, most;
    get diagnostics parts = row_count;
    at := at + parts;
  end loop;
  return entry;
end $$;
