-- Returns the search words of a deal from folded texts, with more weight on the title. The
-- configuration stems English words, in ASCII letters, and Russian words.
create or replace function folded_words(title text, description text) returns tsvector
language sql immutable parallel safe as $$
  select setweight(to_tsvector('russian', part_runs(title)), 'A') || setweight(to_tsvector('russian', part_runs(description)), 'C')
$$;
