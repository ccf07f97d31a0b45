-- Returns the search words of a deal from folded texts, with those of its title weighted more. The
-- configuration stems English words of ASCII letters, and Russian ones.
create or replace function folded_words(title text, description text) returns tsvector
language sql immutable parallel safe as $$
  select setweight(to_tsvector('russian', part_runs(title)), 'A') || setweight(to_tsvector('russian', part_runs(description)), 'C')
$$;
