-- Words of letters, 3 to 30 long: model numbers are no spelling, and would be most of the table.
create or replace function words_of(texts text[]) returns setof text language sql immutable as $$
  select word from unnest(texts) as one_text, regexp_split_to_table(lower(one_text), '[^[:alnum:]]+') as word
   where length(word) between 3 and 30 and word !~ '[0-9]'
$$;
