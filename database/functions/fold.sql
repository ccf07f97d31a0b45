-- Returns the form in which texts are compared: lower case, without accents, of normal width, with
-- ß as ss and the like. Must equal `fold` in app/platform/fold.ts. Columns and indexes store the
-- result, so a change here needs a migration that rebuilds them. Й stays a separate letter, which
-- the Russian stemmer needs.
create or replace function fold(text text) returns text language sql immutable parallel safe as $$
  select case when octet_length(text) = length(text) then lower(text collate "default") else public.fold_letters(text) end
$$;
