-- Returns words of 3 to 30 letters as they are spelled. Omits text without word breaks, and model
-- numbers, which need no spelling correction and would fill most of the table.
create or replace function words_of(texts text[]) returns setof text language sql immutable as $$
  select word
    from unnest(texts) as given,
         lateral (select case when octet_length(given) = length(given) then given else normalize(given) end offset 0) composed (one),
         regexp_split_to_table(lower(one), '[^[:alnum:]\u0900-\u0963\u0971-\u0d65]+') as word
   where length(word) between 3 and 30 and word !~ '[0-9]' and (octet_length(word) = length(word) or word !~ run_letters())
$$;
