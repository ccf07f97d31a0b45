-- Adds the words to which typing errors are corrected, and titles in alphabetical order for suggestions.

-- The words of titles and names. `uses` is exact only after rebuild_search_words(). New words start at 1, because
-- exact counts would make each import lock the most common words.
create table search_words (
  word text collate "C" primary key,
  uses integer not null default 1
);
create index search_words_trgm on search_words using gin (word gin_trgm_ops);

-- Returns words of 3 to 30 letters. Model numbers need no spelling correction and would fill most of the table.
create function words_of(texts text[]) returns setof text language sql immutable as $$
  select word from unnest(texts) as one_text, regexp_split_to_table(lower(one_text), '[^[:alnum:]]+') as word
   where length(word) between 3 and 30 and word !~ '[0-9]'
$$;

-- Sorted, so that two writers never deadlock.
create function add_search_words(texts text[]) returns void language sql as $$
  insert into search_words (word)
    select distinct given.word collate "C" from words_of(texts) as given (word)
     where not exists (select from search_words known where known.word = given.word collate "C")
     order by 1
    on conflict (word) do nothing
$$;

create function deals_add_search_words() returns trigger language plpgsql as $$
begin
  perform add_search_words((select array_agg(title) from new_rows));
  return null;
end $$;
create trigger deals_add_search_words after insert on deals
  referencing new table as new_rows for each statement execute function deals_add_search_words();

-- Fires per row and for the title only, so that other updates cost nothing.
create function add_title_words() returns trigger language plpgsql as $$
begin
  perform add_search_words(array[new.title]);
  return null;
end $$;
create trigger deals_add_title_words after update of title on deals
  for each row when (old.title is distinct from new.title) execute function add_title_words();

create function add_name_words() returns trigger language plpgsql as $$
begin
  perform add_search_words(array[new.name]);
  return null;
end $$;
create trigger categories_add_name_words after insert or update of name on categories
  for each row execute function add_name_words();
create trigger merchants_add_name_words after insert or update of name on merchants
  for each row execute function add_name_words();

-- Recounts words and deletes those that no title uses. Run after bulk imports and from time to time.
create function rebuild_search_words() returns void language sql as $$
  delete from search_words;
  insert into search_words (word, uses)
    select word, count(*) from (
      select title as text from deals union all select name from categories union all select name from merchants
    ) texts, words_of(array[text]) as word
    group by word
$$;

select rebuild_search_words();

-- Finer statistics, because search uses planner estimates of how common a part of a word is.
alter table deals alter title set statistics 400;

create index deals_live_title on deals (lower(title) text_pattern_ops) where is_active and not is_expired;
create index categories_name_trgm on categories using gin (name gin_trgm_ops, description gin_trgm_ops);
