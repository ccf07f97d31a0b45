-- Returns a deal's search vector from folded texts, with more weight on the title. The configuration stems Russian words, and treats words
-- in ASCII letters as English.
create or replace function folded_words(title text, description text) returns tsvector
language sql immutable parallel safe as $$
  select setweight(to_tsvector('russian', part_runs(title)), 'A') || setweight(to_tsvector('russian', part_runs(description)), 'C')
$$;
