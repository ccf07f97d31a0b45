-- Recounts the words and deletes those that no title uses. Run after bulk imports and from time to
-- time. Of several spellings of a word, the most common is kept.
create or replace function rebuild_search_words() returns void language sql as $$
  delete from search_words;
  insert into search_words (word, uses, spelling)
    select word, sum(uses), nullif((array_agg(spelling order by uses desc, spelling collate "C"))[1], word)
      from (
        select fold(spelling) as word, spelling, count(*) as uses from (
          select title as text from deals union all select name from categories union all select name from merchants
        ) texts, words_of(array[text]) as spelling
        group by spelling
      ) spelled
     group by word
$$;
