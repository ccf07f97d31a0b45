-- The words of a deal as the search knows them, of texts that are folded: those of its title count for more. The configuration
-- cuts English words of ASCII letters to their stems, and Russian ones of others.
create or replace function folded_words(title text, description text) returns tsvector
language sql immutable parallel safe as $$
  select setweight(to_tsvector('russian', part_runs(title)), 'A') || setweight(to_tsvector('russian', part_runs(description)), 'C')
$$;
