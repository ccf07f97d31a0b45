-- Stores GTINs in one form, so that duplicates with and without leading zeros are found, and removes GTINs with a
-- wrong check digit.
create function pg_temp.stored_gtin(code text) returns text language sql immutable as $$
  select lpad(bare, case when length(bare) <= 8 then 8 when length(bare) <= 12 then 12 else length(bare) end, '0')
    from (select ltrim(code, '0') as bare, lpad(ltrim(code, '0'), 14, '0') as padded) c
   where code ~ '^(\d{8}|\d{11,14})$' and length(bare) > 0
     -- Codes for internal use, coupons and refunds identify no product.
     and case when length(bare) <= 8 then lpad(bare, 8, '0') !~ '^[02]' else padded !~ '^\d(0[245]|2\d|98[0-4]|99)' end
     and (10 - (select sum(substr(padded, n, 1)::int * case when n % 2 = 1 then 3 else 1 end) from generate_series(1, 13) n) % 10) % 10
         = right(padded, 1)::int
$$;
-- Neither prices nor texts change, so no trigger needs to run.
alter table deals disable trigger user;
update deals set gtin = pg_temp.stored_gtin(gtin)
 where gtin is not null and gtin is distinct from pg_temp.stored_gtin(gtin);
alter table deals enable trigger user;
-- Converts rollback data and stored decisions to the same form.
update import_changes set before = jsonb_set(before, '{gtin}', coalesce(to_jsonb(pg_temp.stored_gtin(before ->> 'gtin')), 'null'))
 where before ->> 'gtin' is not null and before ->> 'gtin' is distinct from pg_temp.stored_gtin(before ->> 'gtin');
update product_questions set gtin = pg_temp.stored_gtin(gtin)
 where gtin is not null and gtin is distinct from pg_temp.stored_gtin(gtin);
drop function pg_temp.stored_gtin(text);
