-- Puts rows of a snapshot back as they were. Columns that the database computes are left to it, and so are columns
-- that the table did not have when the snapshot was taken.
create or replace function restore_rows(into_table regclass, kept jsonb, or_nothing boolean default true) returns void
language plpgsql as $$
declare columns text;
begin
  select string_agg(quote_ident(attname), ', ' order by attnum) into columns
    from pg_attribute
   where attrelid = into_table and attnum > 0 and not attisdropped and attgenerated = '' and kept -> 0 ? attname::text;
  if columns is null then return; end if;
  execute format('insert into %1$s (%2$s) overriding system value
                  select %2$s from jsonb_populate_recordset(null::%1$s, $1) %3$s',
                 into_table, columns, case when or_nothing then 'on conflict do nothing' else '' end) using kept;
end $$;
