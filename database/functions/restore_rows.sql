-- Restores rows of a snapshot. Recomputes generated columns; columns added after the snapshot get
-- their defaults. With `or_nothing`, skips a row that exists again, or whose user, run or other
-- parent is gone.
create or replace function restore_rows(into_table regclass, kept jsonb, or_nothing boolean default true) returns void
language plpgsql as $$
declare columns text; owners text;
begin
  select string_agg(quote_ident(attname), ', ' order by attnum) into columns
    from pg_attribute
   where attrelid = into_table and attnum > 0 and not attisdropped and attgenerated = '' and kept -> 0 ? attname::text;
  if columns is null then return; end if;
  select string_agg(format('(one.%1$I is null or exists (select from %2$s where %3$I = one.%1$I))',
                           own.attname, confrelid::regclass, other.attname), ' and ') into owners
    from pg_constraint
    join pg_attribute own on own.attrelid = conrelid and own.attnum = conkey[1]
    join pg_attribute other on other.attrelid = confrelid and other.attnum = confkey[1]
   where conrelid = into_table and contype = 'f' and or_nothing;
  execute format('insert into %1$s (%2$s) overriding system value
                  select %2$s from jsonb_populate_recordset(null::%1$s, $1) one where %3$s %4$s',
                 into_table, columns, coalesce(owners, 'true'),
                 case when or_nothing then 'on conflict do nothing' else '' end) using kept;
end $$;
