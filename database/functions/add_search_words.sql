-- In order, so that two writers never wait for each other in a circle.
create or replace function add_search_words(texts text[]) returns void language sql as $$
  insert into search_words (word)
    select distinct given.word collate "C" from words_of(texts) as given (word)
     where not exists (select from search_words known where known.word = given.word collate "C")
     order by 1
    on conflict (word) do nothing
$$;
