-- Restores a trash entry with its old id: the row with the changed columns, and the rows deleted
-- with it, except those of users deleted since. If a unique value is taken, a constraint fails.
create or replace function restore_kept(entry bigint, changed jsonb default '{}') returns void language plpgsql as $$
declare part record;
begin
  for part in select place, from_table, kept from deleted_row_parts where deleted_id = entry order by place loop
    if part.place = 0 then
      perform restore_rows(part.from_table::regclass, jsonb_build_array((part.kept -> 0) || changed), false);
    else
      perform restore_rows(part.from_table::regclass, part.kept);
    end if;
  end loop;
  delete from deleted_rows where id = entry;
end $$;
