-- In order, so that two writers never wait for each other in a circle.
create or replace function add_search_words(texts text[]) returns void language sql as $$
  insert into search_words (word, spelling)
    select distinct on (given.word) given.word, nullif(given.spelling, given.word)
      from (select fold(spelling) collate "C" as word, spelling from words_of(texts) as spelling) given
     where not exists (select from search_words known where known.word = given.word)
     order by 1
    on conflict (word) do nothing
$$;
