-- Removes an erased user's rows from the trash, found by id and verified address.
create or replace function forget_in_trash(person text, address text) returns void language plpgsql as $$
declare
  wanted text[] := array_remove(array[person, address], null);
begin
  update deleted_deals k
     set snapshot = (select jsonb_object_agg(p.part, rows_of_others(p.kept, person, address)) from jsonb_each(k.snapshot) as p (part, kept))
   where exists (select from unnest(wanted) one where strpos(lower(k.snapshot::text), lower(one)) > 0);
  update deleted_deal_rows k set kept = rows_of_others(k.kept, person, address)
   where exists (select from unnest(wanted) one where strpos(lower(k.kept::text), lower(one)) > 0);
  update deleted_row_parts k set kept = rows_of_others(k.kept, person, address)
   where k.place > 0 and exists (select from unnest(wanted) one where strpos(lower(k.kept::text), lower(one)) > 0);
end $$;
