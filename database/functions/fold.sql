-- What a text is compared as: small letters without accents, of the usual width, with ß as ss and the like. `fold` in
-- app/platform/fold.ts says the same. Columns and indexes hold what this answers: a change here needs a migration that makes
-- them anew. Й is a letter of its own, by which Russian words are cut to their stems.
create or replace function fold(text text) returns text language sql immutable parallel safe as $$
  select case when octet_length(text) = length(text) then lower(text collate "default") else public.fold_letters(text) end
$$;
