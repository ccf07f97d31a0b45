-- Maintains the total size of all pictures, so that checking for free space needs no scan.
create or replace function pictures_count_bytes() returns trigger language plpgsql as $$
declare added bigint;
begin
  if tg_op = 'DELETE' then
    added := (select -coalesce(sum(bytes), 0) from old_rows);
  else
    added := (select coalesce(sum(n.bytes - o.bytes), 0) from new_rows n join old_rows o on o.id = n.id);
  end if;
  if added <> 0 then
    update site_counters set value = value + added where name = 'picture_bytes';
  end if;
  return null;
end $$;
