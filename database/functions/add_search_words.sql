-- Adds words in sorted order, so that two writers never deadlock. Each spelling is folded once, and
-- only if it is unknown, since an import mostly contains known words.
create or replace function add_search_words(texts text[]) returns void language sql as $$
  insert into search_words (word, spelling)
    select distinct on (given.word) given.word, nullif(given.spelling, given.word)
      from (
        select fold(spelling) collate "C" as word, spelling
          from (select distinct spelling from words_of(texts) as spelling) spelled
         where not exists (select from search_words known where known.word = spelled.spelling collate "C" offset 0)
        offset 0
      ) given
     where not exists (select from search_words known where known.word = given.word offset 0)
     order by 1
    on conflict (word) do nothing
$$;
