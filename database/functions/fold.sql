-- Returns the form in which texts are compared: lower case, without accents, with full-width
-- characters as normal ones, ß as ss, and so on. Must match `fold` in app/platform/fold.ts. A
-- change here needs a migration that rebuilds the columns and indexes that store the result. The
-- letter Й stays separate, because the Russian stemmer needs it.
create or replace function fold(text text) returns text language sql immutable parallel safe as $$
  select case when octet_length(text) = length(text) then lower(text collate "default") else public.fold_letters(text) end
$$;
