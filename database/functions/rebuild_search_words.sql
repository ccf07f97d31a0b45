-- Counts anew and forgets what no title uses any longer. For after bulk imports and now and then.
create or replace function rebuild_search_words() returns void language sql as $$
  delete from search_words;
  insert into search_words (word, uses)
    select word, count(*) from (
      select title as text from deals union all select name from categories union all select name from merchants
    ) texts, words_of(array[text]) as word
    group by word
$$;
